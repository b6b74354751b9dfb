import { Problem } from '@trestle/problem/problem'
import type { Trestle } from '@trestle/sdk/trestle'
import type { SearchTerm } from './search-form.js'

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
