import type { MethodDescription } from '@trestle/contracts/eth-rpc/method-descriptions'
import { formatCoins } from '../../parts/amount.js'

/** A hexadecimal number of an answer as people read it: in the chain's unit, in gwei or in digits. */
export function readableResult(
  { answers }: Pick<MethodDescription, 'answers'>,
  answer: unknown,
  decimals: number,
): { amount: string; unit: 'wei' | 'gwei' | 'number' } | undefined {
  const result = typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined
  if (!answers || typeof result !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(result)) return undefined
  const amount = answers === 'number' ? BigInt(result).toLocaleString('en') : formatCoins(BigInt(result), answers === 'wei' ? decimals : 9)
  return { amount, unit: answers }
}
