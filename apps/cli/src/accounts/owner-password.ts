import type { Trestle } from '@trestle/sdk/trestle'
import type { Terminal } from '../terminal/terminal.js'

interface Asking {
  readonly api: Trestle
  readonly terminal: Terminal
}

/** Whether somebody is at the terminal who has no password: of them the platform demands another proof, where it is needed. */
export async function isWithoutPassword({ api, terminal }: Asking): Promise<boolean> {
  return terminal.isInteractive && (await api.accounts.secondFactors.list()).hasPassword === false
}
