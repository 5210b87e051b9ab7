// Connects to this gateway's WebSocket routes, for a person who tries them out.
'use strict';

const element = id => document.getElementById(id);
const LOG_LINES = 200;
const EXAMPLES = {
  'ws-echo': 'Hello',
  'ws-topic': 'news',
  'ws-rpc': '{"id": 1, "method": "GET", "path": "/", "query": {}}',
};
const PROGRAM = 'name = input()\nprint("Hello,", name)\n';

let socket = null;

function log(kind, text) {
  const line = document.createElement('li');
  line.className = kind;
  line.textContent = text;
  element('log').prepend(line);
  while (element('log').children.length > LOG_LINES) {
    element('log').lastChild.remove();
  }
}

function chosen() {
  return element('route').selectedOptions[0]?.dataset ?? { kind: '', path: '/' };
}

function showRoute() {
  const { kind, path } = chosen();
  const secure = location.protocol === 'https:' ? 'wss' : 'ws';
  const example = path.replace(/\{[^}]*\}|\*\*/g, 'demo');
  element('address').value = `${secure}://${location.hostname}:${document.body.dataset.port}${example}`;
  element('plain').hidden = kind === 'ws-code';
  element('program').hidden = kind !== 'ws-code';
  element('text').value = EXAMPLES[kind] ?? '';
}

function showState(text, open) {
  element('state').value = text;
  element('connect').disabled = socket !== null;
  element('close').disabled = socket === null;
  element('send').disabled = !open;
}

function connect() {
  const token = element('token').value;
  const opened = new WebSocket(element('address').value, token ? ['bearer', token] : []);
  socket = opened;
  let wasOpen = false;
  showState('connecting', false);
  opened.onopen = () => {
    wasOpen = true;
    showState('connected', true);
  };
  opened.onmessage = event => log('got', typeof event.data === 'string' ? event.data
      : `(binary, ${event.data.size} bytes)`);
  opened.onclose = event => {
    socket = null;
    showState('not connected', false);
    log('note', wasOpen ? `closed: ${event.code} ${event.reason}`
        : `refused: does the route want a token, and do its socket.origins name ${location.origin}?`);
  };
}

function send() {
  const text = chosen().kind === 'ws-code'
      ? JSON.stringify({ input: element('input').value, code: element('code').value })
      : element('text').value;
  socket.send(text);
  log('sent', text);
}

async function start() {
  const { port, routes } = await (await fetch('sockets.json')).json();
  document.body.dataset.port = port;
  for (const route of routes.filter(each => each.handler.startsWith('ws-'))) {
    const option = new Option(`${route.path} (${route.handler})`);
    option.dataset.kind = route.handler;
    option.dataset.path = route.path;
    element('route').add(option);
  }
  element('code').value = PROGRAM;
  element('input').value = 'world';
  showRoute();
}

element('route').onchange = showRoute;
element('connection').onsubmit = event => {
  event.preventDefault();
  connect();
};
element('close').onclick = () => socket.close(1000);
element('message').onsubmit = event => {
  event.preventDefault();
  send();
};
start().catch(error => log('note', String(error)));
