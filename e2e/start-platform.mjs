import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevnet } from '@trestle/devnet/devnet'

export const dataDir = mkdtempSync(join(tmpdir(), 'trestle-stories-'))
export let devnet

/** Starts the platform that all stories share, before the first of them. */
export default async function startPlatform() {
  const only = ['accounts', 'staking', 'nodes', 'btc', 'ltc', 'eth', 'console']
  devnet = await startDevnet({ ports: 'random', dataDir, quiet: true, only })
  process.env.STORIES_DEVNET = join(dataDir, 'devnet.json')
}
