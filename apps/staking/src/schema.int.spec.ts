import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freshDatabase } from '@trestle/testing/postgres'

const PRISMA = fileURLToPath(new URL('../node_modules/.bin/prisma', import.meta.url))
const FOLDER = fileURLToPath(new URL('../../../prisma/staking/', import.meta.url))

it('has a Prisma schema that describes the migrated tables', async () => {
  const database = await freshDatabase({ schema: 'staking', migrations: `${FOLDER}migrations` })
  const args = [
    'migrate',
    'diff',
    '--config',
    `${FOLDER}prisma.config.ts`,
    '--from-config-datasource',
    '--to-schema',
    `${FOLDER}schema.prisma`,
  ]
  const { stdout } = await promisify(execFile)(PRISMA, [...args, '--script'], {
    env: { ...process.env, STAKING_DATABASE_URL: `${database.url}?schema=staking` },
  })
  await database.drop()
  expect(stdout.trim()).toBe('-- This is an empty migration.')
}, 60_000)
