// Shows the OpenAPI document beside it, and sends requests.
'use strict';

const element = id => document.getElementById(id);
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];
const SHOWN = 100_000;

let api = {};

/** A new element with attributes and children; text is never taken for markup. */
function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

function resolved(part) {
  return part?.$ref ? part.$ref.slice(2).split('/').reduce((at, key) => at[key], api) : part ?? {};
}

/** A schema in a few words. */
function inWords(schema) {
  const s = resolved(schema);
  if (s.enum) return s.enum.map(each => JSON.stringify(each)).join(' | ');
  if ('const' in s) return JSON.stringify(s.const);
  if (s.anyOf && !s.type) return s.anyOf.map(inWords).join(' | ');
  const type = [s.type ?? 'any'].flat().map(each => each === 'array' ? `${inWords(s.items)}[]` : each).join(' | ');
  const range = s.maximum === undefined ? '' : ` ${s.minimum}..${s.maximum}`;
  return type + (s.format ? ` (${s.format})` : '') + range
      + (s.default === undefined ? '' : `, default ${JSON.stringify(s.default)}`);
}

/** A value of a schema, to begin with. */
function sample(schema) {
  const s = resolved(schema);
  if (s.default !== undefined) return s.default;
  if (s.enum) return s.enum[0];
  if ('const' in s) return s.const;
  if (s.anyOf && !s.type) return sample(s.anyOf[0]);
  switch ([s.type].flat()[0]) {
    case 'object': return Object.fromEntries(
        Object.entries(s.properties ?? {}).map(([name, member]) => [name, sample(member)]));
    case 'array': return [sample(s.items)];
    case 'integer': case 'number': return Math.max(1, s.minimum ?? 1);
    case 'boolean': return true;
    default: return ({ date: '2026-01-31', 'date-time': '2026-01-31T10:00:00Z',
        uuid: '123e4567-e89b-12d3-a456-426614174000' })[s.format] ?? 'text';
  }
}

function parameterRow(parameter) {
  const input = make('input', { placeholder: parameter.required ? 'required' : 'none' });
  if (parameter.required) input.value = String(sample(parameter.schema));
  const row = make('tr', {}, make('td', {}, make('code', {}, parameter.name)), make('td', {}, parameter.in),
      make('td', {}, inWords(parameter.schema), parameter.description ? make('br') : '',
          parameter.description ?? ''), make('td', {}, input));
  return { parameter, input, row };
}

/** The request of an operation with what was entered. */
function request(path, method, fields, body) {
  let target = path;
  const query = [];
  const headers = {};
  for (const { parameter, input } of fields) {
    const value = input.value;
    if (value === '' && parameter.in !== 'path') continue;
    const list = resolved(parameter.schema).type === 'array' ? value.split(',') : [value];
    if (parameter.in === 'path') {
      target = target.replace(`{${parameter.name}}`, parameter.description
          ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value));
    } else if (parameter.in === 'header') {
      headers[parameter.name] = value;
    } else {
      const values = parameter.explode === false ? [list.map(encodeURIComponent).join(',')]
          : list.map(encodeURIComponent);
      query.push(...values.map(each => `${encodeURIComponent(parameter.name)}=${each}`));
    }
  }
  if (element('token').value) headers.Authorization = `Bearer ${element('token').value}`;
  if (body?.value) headers['Content-Type'] = body.dataset.type;
  return { url: element('server').value.replace(/\/$/, '') + target + (query.length ? `?${query.join('&')}` : ''),
    options: { method, headers, body: body?.value || undefined } };
}

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ url, options }) {
  return [`curl -i -X ${options.method} ${quoted(new URL(url, location.href).href)}`,
    ...Object.entries(options.headers).map(([name, value]) => `-H ${quoted(
        name === 'Authorization' ? 'Authorization: Bearer <token>' : `${name}: ${value}`)}`),
    ...options.body ? [`--data-raw ${quoted(options.body)}`] : []].join(' \\\n  ');
}

async function send(sent, output) {
  output.textContent = `${curl(sent)}\n\n…`;
  let shown;
  try {
    const response = await fetch(sent.url, { ...sent.options, credentials: 'omit' });
    const text = (await response.text()).slice(0, SHOWN);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    let body = text;
    try { body = JSON.stringify(JSON.parse(text), null, 2); } catch { /* no JSON, or cut off */ }
    shown = `${response.status} ${response.statusText}\n${headers}\n\n${body}`;
  } catch (e) {
    shown = `${e.message}: no response, or this page may not read it. The routes of another server need `
        + `${location.origin} in their cors.origins.`;
  }
  output.textContent = `${curl(sent)}\n\n${shown}`;
}

function responseRows(responses) {
  return Object.entries(responses).map(([status, each]) => {
    const response = resolved(each);
    const cell = make('td', {}, response.description);
    for (const name of Object.keys(response.headers ?? {})) {
      cell.append(make('br'), make('code', {}, `${name}: ${inWords(response.headers[name].schema)}`));
    }
    const schema = response.content?.['application/json']?.schema;
    if (schema && !each.$ref) {
      cell.append(make('pre', {}, JSON.stringify(schema, null, 1)));
    }
    return make('tr', {}, make('td', {}, status), make('td', {}, Object.keys(response.content ?? {}).join(', ')), cell);
  });
}

/** Fills the part of an operation that unfolds. */
function fill(box, path, method, operation) {
  const fields = (operation.parameters ?? []).map(parameterRow);
  if (operation.description) box.append(make('p', {}, operation.description));
  if (operation.security) box.append(make('p', {}, 'Needs a token.'));
  if (fields.length) {
    box.append(make('h3', {}, 'Parameters'), make('table', {}, ...fields.map(field => field.row)));
  }
  let body = null;
  if (operation.requestBody) {
    const [type, content] = Object.entries(operation.requestBody.content)[0];
    body = make('textarea', { rows: 6, spellcheck: 'false' });
    body.dataset.type = type === '*/*' ? 'text/plain' : type;
    body.value = content.schema ? JSON.stringify(sample(content.schema), null, 2) : '';
    box.append(make('h3', {}, `Body: ${type}`), body);
    if (content.schema) box.append(make('pre', {}, JSON.stringify(content.schema, null, 1)));
  }
  const button = make('button', { type: 'button' }, 'Send');
  const output = make('pre', { hidden: '' });
  button.onclick = () => {
    output.hidden = false;
    send(request(path, method.toUpperCase(), fields, body), output);
  };
  const limits = Object.entries(operation['x-limits'] ?? {}).map(([name, value]) => `${name} ${value}`).join(', ');
  box.append(make('p', {}, button), output, make('h3', {}, 'Responses'),
      make('table', {}, ...responseRows(operation.responses)), make('p', {}, limits));
}

function show(path, method, operation) {
  const box = make('details', {}, make('summary', {}, make('span', { class: `method ${method.toUpperCase()}` },
      method.toUpperCase()), path, make('span', { class: 'name' },
      `${operation.operationId} · ${(operation.tags ?? []).join()}`)));
  box.dataset.words = `${method} ${path} ${operation.operationId} ${operation.tags}`.toLowerCase();
  box.addEventListener('toggle', () => fill(box, path, method, operation), { once: true });
  return box;
}

/** Loads the document, with the token if there is one: it stays in its field, and in no storage. */
async function load() {
  const token = element('token').value;
  const response = await fetch('openapi.json', token ? { headers: { Authorization: `Bearer ${token}` } } : {});
  if (response.ok) {
    element('token').onchange = null;
    const text = await response.text();
    if (token) { // a link sends none
      element('download').href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      element('download').download = 'openapi.json';
    }
    showAll(JSON.parse(text));
    return;
  }
  if (response.status !== 401 && response.status !== 403) throw new Error(`status ${response.status}`);
  element('operations').textContent = token ? 'The document needs another token.'
      : 'The document needs a token: enter it above.';
  element('token').onchange = start;
  element('token').focus();
}

function showAll(loaded) {
  api = loaded;
  element('title').textContent = document.title = api.info.title;
  element('version').textContent = `version ${api.info.version}, OpenAPI ${api.openapi}`;
  element('about').textContent = api.info.description ?? '';
  element('server').value = new URL(api.servers[0].url.replace('//localhost', `//${location.hostname}`), location).origin;
  element('operations').replaceChildren(...Object.entries(api.paths).flatMap(([path, item]) =>
      METHODS.filter(method => item[method]).map(method => show(path, method, item[method]))));
  element('find').oninput = event => {
    const word = event.target.value.toLowerCase();
    document.querySelectorAll('details').forEach(box => { box.hidden = !box.dataset.words.includes(word); });
  };
}

function start() {
  load().catch(e => { element('operations').textContent = `no document: ${e.message}`; });
}

element('settings').onsubmit = event => event.preventDefault();
start();
