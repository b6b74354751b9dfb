import { InvalidAddress, scriptOfAddress } from '@trestle/bitcoin/address'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { descriptorOf, scriptsOf } from '@trestle/bitcoin/descriptors/descriptor'
import { InvalidDescriptor } from '@trestle/bitcoin/descriptors/invalid-descriptor'
import { ownerScriptOf } from '@trestle/bitcoin/script'

/** How many children of a ranged descriptor (`/*`) are tracked: fifty times the gap limit of wallets. */
const MAX_CHILDREN = 1_000

/** The owner scripts of the entries of TRACK, each once. */
export function trackedScripts(entries: readonly string[], rules: ChainRules): Buffer[] {
  const scripts = entries.flatMap((entry) => scriptsOfEntry(entry, rules, MAX_CHILDREN))
  return [...new Map(scripts.map((script) => [script.toString('hex'), script])).values()]
}

/** What is wrong with an entry, without the private keys in it; undefined if it is valid. */
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

/** One address or descriptor per line; a `#` at the start of a line or after a space starts a comment. */
export function trackFileEntries(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

// BIP 32, and the wallets' import format.
const PRIVATE_KEY = /[xt]prv\w+|\b[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}\b/g

function scriptsOfEntry(entry: string, rules: ChainRules, children: number): Buffer[] {
  const scripts = entry.includes('(') ? scriptsOf(descriptorOf(entry, rules), children) : [scriptOfAddress(entry, rules)]
  return scripts.map(ownerScriptOf)
}
