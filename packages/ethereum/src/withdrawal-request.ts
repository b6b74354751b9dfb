import { ADDRESS_LENGTH } from './address.js'
import { PUBLIC_KEY_LENGTH } from './bls.js'
import { InvalidEthereumData } from './malformed.js'
import { checkUint64 } from './uint64.js'

/** EIP-7002: the owner's request to the chain from the withdrawal address, without the operator. */
interface WithdrawalRequest {
  readonly pubkey: Buffer
  /** 0 exits the validator. */
  readonly amountGwei: bigint
}

/** What the contract logs: a request and its sender. The chain ignores one that is not from the withdrawal address. */
interface WithdrawalRequestEvent extends WithdrawalRequest {
  readonly sourceAddress: Buffer
}

export const WITHDRAWAL_REQUEST_CONTRACT = Buffer.from('00000961ef480eb55e80d19ad83579a64c007002', 'hex')

/** The call data. The contract's only function has no selector. */
export function encodeWithdrawalRequest({ pubkey, amountGwei }: WithdrawalRequest): Buffer {
  if (pubkey.length !== PUBLIC_KEY_LENGTH)
    throw new InvalidEthereumData(`A public key has ${PUBLIC_KEY_LENGTH} bytes, not ${pubkey.length}.`)
  const amount = Buffer.alloc(AMOUNT_LENGTH)
  amount.writeBigUInt64BE(checkUint64(amountGwei))
  return Buffer.concat([pubkey, amount])
}

export function parseWithdrawalRequest(callData: Buffer): WithdrawalRequest {
  if (callData.length !== REQUEST_LENGTH)
    throw new InvalidEthereumData(`A withdrawal request has ${REQUEST_LENGTH} bytes, not ${callData.length}.`)
  return { pubkey: callData.subarray(0, PUBLIC_KEY_LENGTH), amountGwei: callData.readBigUInt64BE(PUBLIC_KEY_LENGTH) }
}

/** The log has no topic: its data is the address of the caller and the call data. */
export function parseWithdrawalRequestEvent({ topics, data }: { topics: readonly Buffer[]; data: Buffer }): WithdrawalRequestEvent {
  if (topics.length > 0 || data.length !== ADDRESS_LENGTH + REQUEST_LENGTH)
    throw new InvalidEthereumData('The log is not a withdrawal request.')
  return { sourceAddress: data.subarray(0, ADDRESS_LENGTH), ...parseWithdrawalRequest(data.subarray(ADDRESS_LENGTH)) }
}

/** What a request costs at this excess of requests. A call without data returns the fee. */
export function withdrawalRequestFeeWei(excess: bigint): bigint {
  checkUint64(excess)
  let fee = 0n
  // EIP-7002 fake_exponential: MIN_WITHDRAWAL_REQUEST_FEE * e ** (excess / WITHDRAWAL_REQUEST_FEE_UPDATE_FRACTION), as a Taylor series.
  for (let term = FEE_FRACTION, step = 1n; term > 0n; step++) {
    fee += term
    term = (term * excess) / (FEE_FRACTION * step)
  }
  return fee / FEE_FRACTION
}

const AMOUNT_LENGTH = 8
const REQUEST_LENGTH = PUBLIC_KEY_LENGTH + AMOUNT_LENGTH
const FEE_FRACTION = 17n
