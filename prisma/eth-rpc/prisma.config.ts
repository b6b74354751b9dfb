import { fileURLToPath } from 'node:url'

// Prisma's own engine is a download; ours is the same engine as WebAssembly, from npm.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL('../../tools/schema-engine.mjs', import.meta.url))

export default {
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: process.env.ETH_DATABASE_URL ?? 'postgresql://localhost/trestle?schema=eth' },
}
