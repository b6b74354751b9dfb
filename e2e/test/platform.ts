import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Devnet, startDevnet } from '@trestle/devnet/devnet'

export type Platform = Awaited<ReturnType<typeof startPlatform>>

/** The platform on random ports, with throwaway data, and what its stories need; of its services accounts, and those that are named. */
export async function startPlatform(...only: string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'trestle-e2e-'))
  const devnet: Devnet = await startDevnet({ ports: 'random', dataDir, quiet: true, only: ['accounts', ...only] })
  return {
    ...devnet,
    async stop() {
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
    eventually,
    /** The verification token of the newest mail to this address. */
    verificationToken: (email: string) =>
      eventually(async () => {
        const mails = (await (await fetch(`${devnet.info.mailbox}?to=${encodeURIComponent(email)}`)).json()) as { text: string }[]
        return mails.map(({ text }) => /\/token\/([0-9a-f-]{36})/.exec(text)?.[1]).find((token) => token !== undefined)
      }),
  }
}

/** Asks until there is an answer, for at most 20 seconds. */
export async function eventually<T>(ask: () => Promise<T | undefined>, millis = 20_000): Promise<T> {
  const patience = Date.now() + millis
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > patience) throw new Error('it did not come true in time')
    await pause(50)
  }
}
