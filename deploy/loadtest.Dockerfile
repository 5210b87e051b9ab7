# Gatling with Sluice's simulations: docker build -f deploy/loadtest.Dockerfile -t sluice-loadtest .
ARG MAVEN_IMAGE=maven:3-eclipse-temurin-25
ARG JRE_IMAGE=eclipse-temurin:25-jre

FROM ${MAVEN_IMAGE} AS build
WORKDIR /src
COPY .mvn .mvn
COPY pom.xml checkstyle.xml ./
COPY config/pom.xml config/
COPY blocking-offload/pom.xml blocking-offload/
COPY handlers/pom.xml handlers/
COPY gateway/pom.xml gateway/
COPY loadtest/pom.xml loadtest/
RUN mvn -B -q -pl loadtest -am package -DskipTests -Dcheckstyle.skip
COPY . .
RUN mvn -B -q -o -pl loadtest -am package -DskipTests -Dcheckstyle.skip

FROM ${JRE_IMAGE}
WORKDIR /opt/loadtest
COPY --from=build /src/loadtest/target/lib lib
COPY --from=build /src/loadtest/target/sluice-loadtest.jar ./
ENV LC_ALL=C.UTF-8
USER 10001:10001
ENTRYPOINT ["java", "-XX:+UseZGC", "-jar", "sluice-loadtest.jar"]
