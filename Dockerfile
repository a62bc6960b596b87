# syntax=docker/dockerfile:1
# Build: the whole repository. Result: the program, its production dependencies, and nothing else, as a user without
# rights.
FROM node:22.22.0-bookworm-slim AS build
WORKDIR /sonde
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY scripts ./scripts
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.mjs

FROM node:22.22.0-bookworm-slim AS modules
WORKDIR /sonde
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
RUN npm ci --omit=dev --ignore-scripts

FROM node:22.22.0-bookworm-slim
ENV NODE_ENV=production SONDE_HOST=0.0.0.0 SONDE_PORT=4747 SONDE_DATA=/data
WORKDIR /sonde
COPY --from=modules /sonde/node_modules ./node_modules
COPY --from=build /sonde/package.json ./
COPY --from=build /sonde/dist ./dist
COPY --from=build /sonde/migrations ./migrations
COPY --from=build /sonde/docs ./docs
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4747
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.SONDE_PORT + '/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/sonde.js"]
CMD ["serve"]
