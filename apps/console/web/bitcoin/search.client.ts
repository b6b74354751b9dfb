import { Problem } from '@trestle/problem/problem'
import type { Trestle } from '@trestle/sdk/trestle'

type SearchTerm = { kind: 'height' | 'hash' | 'address'; text: string }

/** The input may be a height, the hash of a block or a transaction, or else an address. */
export function parseSearchTerm(typed: string): SearchTerm | undefined {
  const text = typed.trim().replace(/^(?:bitcoin|litecoin):([^?]+).*$/i, '$1')
  if (text === '') return undefined
  if (/^\d{1,9}$/.test(text)) return { kind: 'height', text: String(Number(text)) }
  if (/^[0-9a-f]{64}$/i.test(text)) return { kind: 'hash', text: text.toLowerCase() }
  return { kind: 'address', text }
}

type Api = Pick<Trestle['btc'], 'blocks' | 'addresses' | 'transactions'>

/** The path of its page, such as `/block/000…`. Throws the platform's problem if nothing matches. */
export async function findPage(api: Api, { kind, text }: SearchTerm): Promise<string> {
  if (kind === 'height') return `/block/${(await api.blocks.hash({ params: { height: text } })).blockHash}`
  if (kind === 'hash') return findHash(api, text)
  await api.addresses.summary({ params: { addr: text }, query: { noTxList: '1' } })
  return `/address/${encodeURIComponent(text)}`
}

/** Tries transactions first, as they are searched most. Leading zeros mark a block hash on most chains, but not on all. */
async function findHash({ blocks, transactions }: Api, hash: string): Promise<string> {
  try {
    await transactions.one({ params: { hash } })
    return `/tx/${hash}`
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'NotFound')) throw error
    await blocks.one({ params: { hash } })
    return `/block/${hash}`
  }
}
