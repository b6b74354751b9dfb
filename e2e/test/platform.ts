import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@trestle/devnet/devnet'
import { tokenMailedTo } from './mailbox.js'

export type TestPlatform = Awaited<ReturnType<typeof startTestPlatform>>

/** The platform on random ports, with throwaway data, and what its stories need; of its services accounts, and those that are named. */
export async function startTestPlatform(...only: string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'trestle-e2e-'))
  const devnet: Devnet = await startDevnet({ ports: 'random', dataDir, quiet: true, only: ['accounts', ...only] })
  return {
    ...devnet,
    dataDir,
    async stop() {
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
    /** As an intruder might have it. */
    secret: (name: string): string => JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))[name],
    /** The verification token of the newest mail to this address. */
    verificationToken: (email: string) => tokenMailedTo(email, devnet.info.mailbox),
  }
}
