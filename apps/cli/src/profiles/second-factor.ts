import type { FactorChallenge } from '@trestle/contracts/accounts/second-factors'
import type { Trestle } from '@trestle/sdk/trestle'
import type { Terminal } from '../terminal/terminal.js'

export type CodePrompt = Pick<Terminal, 'ask'>

/** Prompts for what answers a challenge at a terminal. */
export async function promptForCode(terminal: CodePrompt, { methods }: Pick<FactorChallenge, 'methods'>): Promise<string> {
  const question = methods.includes('totp')
    ? 'Code of your authenticator app, or a recovery code: '
    : 'A recovery code (passkeys work in the console only): '
  return (await terminal.ask(question, 'No terminal to ask for the code of your second factor: programs use a client key.')).trim()
}

/** Proves the second factor of this login again; returns the newer token. */
export async function proveAgain({ accounts: { secondFactors } }: Pick<Trestle, 'accounts'>, terminal: CodePrompt): Promise<string> {
  const challenge = await secondFactors.stepUp()
  const code = await promptForCode(terminal, challenge)
  return (await secondFactors.answer({ body: { challenge: challenge.challenge, code } })).accessToken
}
