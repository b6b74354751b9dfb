import { hash, pbkdf2Sync } from 'node:crypto'
import { deriveSecretKey, publicKeyOf } from '../src/bls.js'
import { encodeDepositCall, isValidDeposit, MIN_ACTIVATION_BALANCE_GWEI, makeDeposit, parseDepositCall } from '../src/deposit.js'
import { parseHex } from '../src/hex.js'
import { depositDataRoot, depositMessageRoot } from '../src/ssz.js'
import { readVectors } from './vectors.js'

type Row = [index: number, fork: string, pubkey: string, credentials: string, signature: string, messageRoot: string, dataRoot: string]

const amountGwei = MIN_ACTIVATION_BALANCE_GWEI
// BIP 39, without a passphrase.
const seed = pbkdf2Sync('test test test test test test test test test test test waste', 'mnemonic', 2048, 64, 'sha512')

describe('a deposit of staking-deposit-cli', () => {
  it.each(readVectors<Row[]>('lighthouse-deposits'))('%i on fork %s is ours, bit by bit', (index, ...row) => {
    expectDeposit(deriveSecretKey(seed, `m/12381/3600/${index}/0/0`), row)
  })
})

describe('a deposit of ethdo', () => {
  it.each(readVectors<[...Row, callData: string][]>('ethdo-deposits'))('%i on fork %s is ours, as call data too', (index, ...row) => {
    const callData = parseHex(row[6])
    const deposit = expectDeposit(interopKey(index), row)
    expect(encodeDepositCall(deposit)).toEqual(callData)
    expect(parseDepositCall(callData, amountGwei)).toEqual(deposit)
  })
})

function expectDeposit(secretKey: Buffer, [fork, pubkey, credentials, signature, messageRoot, dataRoot]: string[]) {
  const network = { genesisForkVersion: parseHex(fork!) }
  const deposit = makeDeposit(secretKey, { withdrawalCredentials: parseHex(credentials!), amountGwei }, network)
  expect(deposit.pubkey.toString('hex')).toBe(pubkey)
  expect(publicKeyOf(secretKey)).toEqual(deposit.pubkey)
  expect(deposit.signature.toString('hex')).toBe(signature)
  expect(depositMessageRoot(deposit).toString('hex')).toBe(messageRoot)
  expect(depositDataRoot(deposit).toString('hex')).toBe(dataRoot)
  expect(isValidDeposit(deposit, network)).toBe(true)
  return deposit
}

/** The keys of test networks: the hash of the index, read from its lowest byte, below the order of the group. */
function interopKey(index: number): Buffer {
  const digest = hash('sha256', Buffer.concat([Buffer.of(index)], 32), 'buffer').reverse()
  const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
  return parseHex((BigInt(`0x${digest.toString('hex')}`) % order).toString(16).padStart(64, '0'))
}
