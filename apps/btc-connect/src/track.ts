import { InvalidAddress, scriptOfAddress } from '@trestle/bitcoin/address'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { InvalidDescriptor, scriptsOfDescriptor } from '@trestle/bitcoin/descriptor'
import { ownerScriptOf } from '@trestle/bitcoin/script'

/** Of a descriptor that ends in a key's `/*`, so many children are tracked: fifty times the gap that wallets leave. */
const CHILDREN = 1_000

/** The owners that entries of TRACK stand for, each once. */
export function trackedScripts(entries: readonly string[], rules: ChainRules): Buffer[] {
  const scripts = entries.flatMap((entry) => scriptsOfEntry(entry, rules, CHILDREN))
  return [...new Map(scripts.map((script) => [script.toString('hex'), script])).values()]
}

/** What is wrong with an entry, without what may be a secret in it; undefined if nothing is. */
export function entryProblem(entry: string, rules: ChainRules): string | undefined {
  const shown = entry.replace(PRIVATE_KEY, '(a private key)')
  const chain = `${rules.coin} ${rules.network}`
  try {
    scriptsOfEntry(entry, rules, 1)
    return undefined
  } catch (error) {
    if (error instanceof InvalidAddress) return `${shown} is no address of ${chain}: ${error.message}`
    if (error instanceof InvalidDescriptor) return `${shown} cannot be tracked on ${chain}: ${error.message}`
    throw error
  }
}

/** An address or a descriptor a line; a `#` at its beginning, or after a space, begins a comment. */
export function trackFileEntries(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

// BIP 32, and the wallets' import format.
const PRIVATE_KEY = /[xt]prv\w+|\b[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}\b/g

function scriptsOfEntry(entry: string, rules: ChainRules, children: number): Buffer[] {
  const scripts = entry.includes('(') ? scriptsOfDescriptor(entry, rules, children) : [scriptOfAddress(entry, rules)]
  return scripts.map(ownerScriptOf)
}
