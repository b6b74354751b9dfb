import type { capella } from '@lodestar/types'
import { formatHex } from '@trestle/ethereum/hex'
import type { FastifyInstance } from 'fastify'
import type { BeaconChain } from './beacon-chain.js'

interface Call {
  readonly id?: unknown
  readonly method?: string
}

interface Answer {
  readonly id?: unknown
  readonly result?: { readonly hash?: string; readonly withdrawals?: readonly object[] } | null
}

const BLOCKS = ['eth_getBlockByNumber', 'eth_getBlockByHash']

/** The JSON-RPC of the execution chain, with withdrawals in its blocks (EIP-4895), which anvil's lack. */
export function registerExecution(server: FastifyInstance, chain: BeaconChain, anvilUrl: string): void {
  server.post<{ Body: Call | Call[] }>('/execution', async ({ body }) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(anvilUrl, { method: 'POST', headers, body: JSON.stringify(body) })
    const asked = new Set(
      [body]
        .flat()
        .filter(({ method }) => BLOCKS.includes(method ?? ''))
        .map(({ id }) => id),
    )
    const given: Answer | Answer[] = JSON.parse(await answer.text())
    const completed = [given].flat().map((each) => (asked.has(each.id) ? complete(chain, each) : each))
    return Array.isArray(given) ? completed : completed[0]
  })
}

function complete({ history }: BeaconChain, answer: Answer): Answer {
  const { result } = answer
  const withdrawals = result?.hash === undefined ? undefined : history.withdrawalsOf(result.hash)
  return withdrawals ? { ...answer, result: { ...result, withdrawals: withdrawals.map(jsonOf) } } : answer
}

function jsonOf({ index, validatorIndex, address, amount }: capella.Withdrawal) {
  const [number, validator, gwei] = [index, validatorIndex, amount].map((value) => `0x${value.toString(16)}`)
  return { index: number, validatorIndex: validator, address: formatHex(address), amount: gwei }
}
