import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freshDatabase } from '@trestle/testing/postgres'
import { ETH_RPC_MIGRATIONS } from './eth-rpc-schema.js'

const PRISMA = fileURLToPath(new URL('../node_modules/prisma/build/index.js', import.meta.url))
const FOLDER = fileURLToPath(new URL('../../../prisma/eth-rpc/', import.meta.url))

it('schema.prisma describes what the migrations make', async () => {
  const postgres = await freshDatabase({ schema: 'eth', migrations: ETH_RPC_MIGRATIONS })
  const args = [
    'migrate',
    'diff',
    '--config',
    `${FOLDER}prisma.config.ts`,
    '--from-config-datasource',
    '--to-schema',
    `${FOLDER}schema.prisma`,
  ]
  const env = { ...process.env, ETH_DATABASE_URL: `${postgres.url}?schema=eth` }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PRISMA, ...args, '--script'], { env })
    expect(stdout.trim()).toBe('-- This is an empty migration.')
  } finally {
    await postgres.drop()
  }
})
