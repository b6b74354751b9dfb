import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { CHAINS } from '@trestle/contracts/chains/chains'
import type { ChainDescription } from '@trestle/contracts/chains/discovery'
import { closest } from '@trestle/problem/closest'
import { type CommandRun, text } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'

const usual = (family: ChainFamily) => CHAINS.filter((chain) => chain.isDefault && chain.family === family)

/** For examples: a chain other than the default. */
export const { name: OTHER_CHAIN = '', title: OTHER_TITLE = '' } = usual('bitcoin').at(-1) ?? {}

/** `--chain`, for the commands of a family. The platform may serve chains that no record here knows. */
export function chainOption(family: ChainFamily) {
  const known = CHAINS.filter((chain) => chain.family === family).map(({ name }) => name)
  const first = usual(family)[0]?.name ?? ''
  return { chain: text('chain', 'which one', { short: 'c', choices: known, isOpen: true, default: first }) } as const
}

/** The chains that the platform lists; undefined if it does not. */
export function discoveredChains({
  session,
  signal,
  timeoutMs = 30_000,
}: Pick<CommandRun, 'session' | 'signal'> & { timeoutMs?: number }): Promise<readonly ChainDescription[] | undefined> {
  return session.open.chains.list({ signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }).catch(() => {
    signal.throwIfAborted()
    return undefined
  })
}

/** Checks a chain against those of the platform, or else against the built-in table. */
export async function chosenChain(run: Pick<CommandRun, 'session' | 'signal'>, family: ChainFamily, name: string): Promise<string> {
  const all: readonly { name: string; family: string }[] = (await discoveredChains(run)) ?? CHAINS
  const names = all.filter((chain) => chain.family === family).map((chain) => chain.name)
  if (names.includes(name)) return name
  const meant = closest(name, names)
  const advice = names.length > 0 ? `Choose one of: ${names.join(', ')}` : 'List them: trestle chains'
  throw new Failure(EXIT.usage, `The platform serves no "${name}".${meant ? ` Did you mean ${meant}?` : ''}`, advice)
}
