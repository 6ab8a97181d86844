# The console with a Claude CLI. Build it from a clone of the repository:
#   docker build -t coxswain .
#   docker run --rm -p 127.0.0.1:7420:7420 -e COXSWAIN_TOKEN=… -e ANTHROPIC_API_KEY=… -v "$PWD:/work" coxswain
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp && mv /tmp/coxswain-*.tgz /tmp/coxswain.tgz

FROM node:22-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /tmp/coxswain.tgz /tmp/coxswain.tgz
# Pin the CLI for reproducible builds: --build-arg CLAUDE_CODE_VERSION=2.1.326
ARG CLAUDE_CODE_VERSION=latest
# The NATS clients are for workers and gateways of a fleet: see deploy/compose.yaml.
RUN npm install --global /tmp/coxswain.tgz "@anthropic-ai/claude-code@${CLAUDE_CODE_VERSION}" \
      @nats-io/transport-node@3 @nats-io/jetstream@3 @nats-io/kv@3 @nats-io/obj@3 \
 && npm cache clean --force \
 && mkdir /work /state && chown node:node /work /state
USER node
WORKDIR /work
VOLUME ["/work", "/home/node"]
EXPOSE 7420
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7420/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Other machines need the token in COXSWAIN_TOKEN.
CMD ["coxswain", "console", "--no-open", "--host", "0.0.0.0", "--port", "7420", "--root", "/work"]
