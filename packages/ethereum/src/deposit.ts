import { encodeAbi, WORD_LENGTH } from './abi.js'
import { publicKeyOf, sign, verify } from './bls.js'
import { InvalidEthereumData } from './malformed.js'
import type { EthereumNetwork } from './network.js'
import { depositSigningRoot } from './signing.js'
import { type DepositData, type DepositMessage, depositDataRoot } from './ssz.js'
import { uint64LittleEndian } from './uint64.js'

export const GWEI_PER_ETH = 1_000_000_000n
export const WEI_PER_GWEI = 1_000_000_000n
/** The deposit contract accepts no less. */
export const MIN_DEPOSIT_GWEI = GWEI_PER_ETH
/** A validator is activated with this much. */
export const MIN_ACTIVATION_BALANCE_GWEI = 32n * GWEI_PER_ETH

/** keccak256 of DepositEvent(bytes,bytes,bytes,bytes,bytes). */
export const DEPOSIT_EVENT_TOPIC = Buffer.from('649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5', 'hex')

/** What the deposit contract logs. It does not check the signature. */
export interface DepositEvent extends DepositData {
  /** The number of deposits before this one. */
  readonly index: bigint
}

type DepositFork = Pick<EthereumNetwork, 'genesisForkVersion'>

export function makeDeposit(secretKey: Buffer, terms: Omit<DepositMessage, 'pubkey'>, network: DepositFork): DepositData {
  const { withdrawalCredentials, amountGwei } = terms
  if (amountGwei < MIN_DEPOSIT_GWEI) throw new InvalidEthereumData('A deposit must be at least 1 ETH.')
  const message = { pubkey: publicKeyOf(secretKey), withdrawalCredentials, amountGwei }
  return { ...message, signature: sign(secretKey, depositSigningRoot(message, network), message.pubkey) }
}

/** Whether the chain will create a validator from this deposit. A top-up is credited whatever its signature. */
export function isValidDeposit(deposit: DepositData, network: DepositFork): boolean {
  return verify(deposit.pubkey, depositSigningRoot(deposit, network), deposit.signature)
}

/** The call data of `deposit(bytes,bytes,bytes,bytes32)`; the amount is the value of the transaction. */
export function encodeDepositCall(deposit: DepositData): Buffer {
  const { pubkey, withdrawalCredentials, signature } = deposit
  const root = depositDataRoot(deposit)
  return Buffer.concat([SELECTOR, encodeAbi([{ bytes: pubkey }, { bytes: withdrawalCredentials }, { bytes: signature }, root])])
}

/** The deposit that this call makes with this amount. The root in it covers the amount, so any changed bit is detected. */
export function parseDepositCall(callData: Buffer, amountGwei: bigint): DepositData {
  if (callData.length !== CALL_LENGTH) throw new InvalidEthereumData(`A deposit call has ${CALL_LENGTH} bytes, not ${callData.length}.`)
  const values = callData.subarray(SELECTOR.length)
  const deposit = {
    pubkey: fieldAt(values, 0x80, 48),
    withdrawalCredentials: fieldAt(values, 0xe0, 32),
    amountGwei,
    signature: fieldAt(values, 0x120, 96),
  }
  if (!encodeDepositCall(deposit).equals(callData)) throw new InvalidEthereumData('This is not a deposit call for this amount.')
  return deposit
}

export function parseDepositEvent({ topics, data }: { topics: readonly Buffer[]; data: Buffer }): DepositEvent {
  if (topics.length !== 1 || !topics[0]?.equals(DEPOSIT_EVENT_TOPIC)) throw new InvalidEthereumData('The log is not a DepositEvent.')
  if (data.length !== EVENT_LENGTH) throw new InvalidEthereumData(`A DepositEvent has ${EVENT_LENGTH} bytes, not ${data.length}.`)
  const event = {
    pubkey: fieldAt(data, 0xa0, 48),
    withdrawalCredentials: fieldAt(data, 0x100, 32),
    amountGwei: fieldAt(data, 0x140, 8).readBigUInt64LE(),
    signature: fieldAt(data, 0x180, 96),
    index: fieldAt(data, 0x200, 8).readBigUInt64LE(),
  }
  // EIP-6110 accepts only the layout that the contract writes.
  if (!encodeDepositEvent(event).equals(data)) throw new InvalidEthereumData('The DepositEvent does not have the layout of the contract.')
  return event
}

export function encodeDepositEvent({ pubkey, withdrawalCredentials, amountGwei, signature, index }: DepositEvent): Buffer {
  const fields = [pubkey, withdrawalCredentials, uint64LittleEndian(amountGwei), signature, uint64LittleEndian(index)]
  return encodeAbi(fields.map((bytes) => ({ bytes })))
}

const SELECTOR = Buffer.from('22895118', 'hex')
const CALL_LENGTH = 420
const EVENT_LENGTH = 576

/** The bytes after the length word at the offset. The length is checked by encoding everything again. */
function fieldAt(values: Buffer, offset: number, length: number): Buffer {
  return values.subarray(offset + WORD_LENGTH, offset + WORD_LENGTH + length)
}
