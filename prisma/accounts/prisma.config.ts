import { defineConfig } from 'prisma/config'

// Prisma's own engine is a download; ours is the same engine as WebAssembly, from npm.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= new URL('../../tools/schema-engine.mjs', import.meta.url).pathname

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: process.env.ACCOUNTS_DATABASE_URL ?? 'postgresql://localhost/trestle?schema=accounts' },
  // Plain SQL writes these; Prisma would propose to drop them.
  experimental: { externalTables: true },
  tables: { external: ['accounts.event', 'accounts.outbox', 'accounts.inbox'] },
})
