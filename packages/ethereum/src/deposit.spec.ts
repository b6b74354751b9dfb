import fc from 'fast-check'
import { arbitraryBytes, depositData, flipped, network, SECRET_KEYS, secretKey, uint64 } from '../test/arbitraries.js'
import { expectParsedOrMalformed, isParsed } from '../test/malformed.js'
import { publicKeyOf } from './bls.js'
import {
  DEPOSIT_EVENT_TOPIC,
  encodeDepositCall,
  encodeDepositEvent,
  isValidDeposit,
  MIN_ACTIVATION_BALANCE_GWEI,
  MIN_DEPOSIT_GWEI,
  makeDeposit,
  parseDepositCall,
  parseDepositEvent,
} from './deposit.js'
import { keccak256 } from './hash.js'
import { InvalidEthereumData } from './malformed.js'
import { networkOf } from './network.js'
import { withdrawalCredentialsOf } from './withdrawal-credentials.js'

const topics = [DEPOSIT_EVENT_TOPIC]
const HOODI = networkOf('hoodi')
const TERMS = {
  withdrawalCredentials: withdrawalCredentialsOf(Buffer.alloc(20, 0xab), 'execution', HOODI),
  amountGwei: MIN_ACTIVATION_BALANCE_GWEI,
}

describe(makeDeposit, () => {
  it('makes what the network takes and no other network does', () => {
    fc.assert(
      fc.property(secretKey, arbitraryBytes(32), network, network, (key, withdrawalCredentials, network, other) => {
        const deposit = makeDeposit(key, { ...TERMS, withdrawalCredentials }, network)
        expect(deposit).toMatchObject({ pubkey: publicKeyOf(key), withdrawalCredentials })
        expect(isValidDeposit(deposit, other)).toBe(other.name === network.name)
      }),
      { numRuns: 20 },
    )
  })

  it('refuses less than the contract takes', () => {
    const make = (amountGwei: bigint) => makeDeposit(SECRET_KEYS[0]!, { ...TERMS, amountGwei }, HOODI)
    expect(make(MIN_DEPOSIT_GWEI).amountGwei).toBe(1_000_000_000n)
    for (const amountGwei of [MIN_DEPOSIT_GWEI - 1n, 0n, -1n, 2n ** 64n]) expect(() => make(amountGwei)).toThrow(InvalidEthereumData)
  })
})

describe(isValidDeposit, () => {
  const deposit = makeDeposit(SECRET_KEYS[0]!, TERMS, HOODI)

  it.each(['pubkey', 'withdrawalCredentials', 'signature'] as const)('is false where a bit of the %s changes', (field) => {
    fc.assert(
      fc.property(fc.nat(), (at) => expect(isValidDeposit({ ...deposit, [field]: flipped(deposit[field], at) }, HOODI)).toBe(false)),
      { numRuns: 15 },
    )
  })

  it('is false of another amount', () => {
    expect(isValidDeposit({ ...deposit, amountGwei: deposit.amountGwei + 1n }, HOODI)).toBe(false)
  })

  it('is false of a key that others could sign for', () => {
    expect(isValidDeposit({ ...deposit, pubkey: Buffer.concat([Buffer.of(0xc0), Buffer.alloc(47)]) }, HOODI)).toBe(false)
  })
})

describe(parseDepositCall, () => {
  it('reads what was written', () => {
    fc.assert(
      fc.property(depositData, (deposit) => expect(parseDepositCall(encodeDepositCall(deposit), deposit.amountGwei)).toEqual(deposit)),
    )
  })

  it('finds a changed bit anywhere', () => {
    const deposit = makeDeposit(SECRET_KEYS[0]!, TERMS, HOODI)
    const call = encodeDepositCall(deposit)
    const bits = Array.from({ length: call.length * 8 }, (_, at) => at)
    expect(bits.filter((at) => isParsed(() => parseDepositCall(flipped(call, at), deposit.amountGwei)))).toEqual([])
  })

  it('refuses another amount', () => {
    fc.assert(
      fc.property(depositData, uint64, (deposit, amountGwei) => {
        fc.pre(amountGwei !== deposit.amountGwei)
        expect(() => parseDepositCall(encodeDepositCall(deposit), amountGwei)).toThrow('This is not a deposit call for this amount.')
      }),
    )
  })

  it('refuses noise', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryBytes(0, 500), arbitraryBytes(420)), (noise) =>
        expect(() => parseDepositCall(noise, 1n)).toThrow(InvalidEthereumData),
      ),
    )
  })
})

describe(parseDepositEvent, () => {
  const event = fc.record({ deposit: depositData, index: uint64 }).map(({ deposit, index }) => ({ ...deposit, index }))

  it('reads what was written', () => {
    fc.assert(fc.property(event, (event) => expect(parseDepositEvent({ topics, data: encodeDepositEvent(event) })).toEqual(event)))
  })

  it('reads another deposit or none where a bit changes', () => {
    fc.assert(
      fc.property(event, fc.nat(), (event, at) => {
        const data = flipped(encodeDepositEvent(event), at)
        expectParsedOrMalformed(() => expect(parseDepositEvent({ topics, data })).not.toEqual(event))
      }),
    )
  })

  it('refuses noise and other logs', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryBytes(0, 700), arbitraryBytes(576)), (data) =>
        expect(() => parseDepositEvent({ topics, data })).toThrow(InvalidEthereumData),
      ),
    )
    expect(() => parseDepositEvent({ topics: [], data: Buffer.alloc(576) })).toThrow('The log is not a DepositEvent.')
    expect(() => parseDepositEvent({ topics: [Buffer.alloc(32)], data: Buffer.alloc(576) })).toThrow('The log is not a DepositEvent.')
  })

  it('is known by the hash of its signature', () => {
    expect(DEPOSIT_EVENT_TOPIC).toEqual(keccak256(Buffer.from('DepositEvent(bytes,bytes,bytes,bytes,bytes)')))
  })
})
