import { fileURLToPath } from 'node:url'

process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL('../../../../tools/schema-engine.mjs', import.meta.url))

export default {
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
}
