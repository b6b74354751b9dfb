import { readFile } from 'node:fs/promises'
import type { RpcInvocation } from '@trestle/devnet/chains/node-rpc'

interface NodeAddress {
  readonly url: string
  readonly cookieFile: string
}

/** What became of a call. */
interface Settled<T> {
  readonly result?: T
  readonly error?: { readonly code: number; readonly message: string }
}

const CALLS_AT_ONCE = 500

/** A node's JSON-RPC in bulk. What has a point in its answers stays the text that the node wrote: no amount is ever a float. */
export class NodeConsole {
  constructor(
    private readonly address: NodeAddress,
    private readonly path = '',
  ) {}

  wallet(name: string): NodeConsole {
    return new NodeConsole(this.address, `/wallet/${name}`)
  }

  async call<T>(method: string, ...params: unknown[]): Promise<T> {
    const [result] = await this.batch<T>([[method, ...params]])
    return result as T
  }

  /** The results in the order of the calls, or the first refusal. */
  async batch<T>(calls: readonly RpcInvocation[]): Promise<T[]> {
    const answers = await this.settle<T>(calls)
    return answers.map(({ result, error }, i) => {
      if (error) throw new Error(`${calls[i]?.[0]}: ${error.message} (${error.code})`)
      return result as T
    })
  }

  /** The same, with each refusal in the place of its result. */
  async settle<T>(calls: readonly RpcInvocation[]): Promise<Settled<T>[]> {
    const answers: Settled<T>[] = []
    for (let from = 0; from < calls.length; from += CALLS_AT_ONCE) {
      answers.push(...(await this.post<T>(calls.slice(from, from + CALLS_AT_ONCE))))
    }
    return answers
  }

  private async post<T>(calls: readonly RpcInvocation[]): Promise<Settled<T>[]> {
    // Another one after every start of the node.
    const cookie = await readFile(this.address.cookieFile)
    // `close`: litecoind does not stop before the last connection is gone.
    const headers = { authorization: `Basic ${cookie.toString('base64')}`, connection: 'close' }
    const body = JSON.stringify(calls.map(([method, ...params], id) => ({ id, method, params })))
    const answer = await fetch(`${this.address.url}${this.path}`, { method: 'POST', headers, body })
    return parseExactly(await answer.text()) as Settled<T>[]
  }
}

type ExactReviver = (key: string, value: unknown, context: { source?: string }) => unknown

/** JSON with whole numbers as numbers and all others as their text. */
function parseExactly(json: string): unknown {
  const revive: ExactReviver = (_key, value, { source = '' }) => (typeof value === 'number' && /[.e]/i.test(source) ? source : value)
  return JSON.parse(json, revive as (key: string, value: unknown) => unknown)
}

/** 1 for `0.00000001`. */
export function consoleSatoshis(coins: string): bigint {
  const parts = /^(-?)(\d+)\.(\d{8})$/.exec(coins)
  if (!parts) throw new Error(`${coins} is no amount`)
  const [, sign, whole, fraction] = parts
  return BigInt(`${sign}${whole}${fraction}`)
}

/** `0.00000001` for 1. */
export function consoleCoins(satoshis: bigint): string {
  const digits = (satoshis < 0n ? -satoshis : satoshis).toString().padStart(9, '0')
  return `${satoshis < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
}
