import { readFileSync } from 'node:fs'
import { areEqual, decodeDepositCall, hex } from './deposit-call.js'
import { checkDeposit, DEPOSIT_GWEI } from './deposit-checks.js'
import { bytesOf, computeDepositDataRoot, computeDepositSigningRoot } from './deposit-roots.js'
import { isSignedBy } from './deposit-signature.js'
import { depositNetwork } from './networks.js'
import { castCommand, depositTransaction, paymentLink } from './transaction.js'

// Other projects' deposits: where they come from is told in the README beside them.
type Row = [index: number, fork: string, pubkey: string, credentials: string, signature: string, messageRoot: string, dataRoot: string]
type Verification = [name: string, pubkey: string, message: string, signature: string, expected: boolean]

const ethdo = vectors<[...Row, callData: string][]>('ethdo-deposits')
const depositCli = vectors<Row[]>('lighthouse-deposits')
const NETWORK = {
  chainId: 1,
  genesisForkVersion: '0x00000000',
  depositContract: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
  isQuick: false,
}

describe(computeDepositDataRoot, () => {
  it.each([...depositCli, ...ethdo.map((row) => row.slice(0, 7) as Row)])('is theirs for deposit %i on fork %s', (...row) => {
    const [, fork, , , , , dataRoot] = row
    expect(hex(computeDepositDataRoot(depositOf(row)))).toBe(`0x${dataRoot}`)
    expect(computeDepositSigningRoot(depositOf(row), fork)).toHaveLength(32)
  })
})

describe(isSignedBy, () => {
  it.each(depositCli.slice(0, 3))('takes the signature of deposit %i on fork %s, and no other', (...row) => {
    const deposit = depositOf(row)
    const root = computeDepositSigningRoot(deposit, row[1])
    expect(isSignedBy(deposit.pubkey, root, deposit.signature)).toBe(true)
    expect(isSignedBy(deposit.pubkey, computeDepositSigningRoot(deposit, '0x0a0b0c0d'), deposit.signature)).toBe(false)
    expect(isSignedBy(deposit.pubkey, root, new Uint8Array(96))).toBe(false)
  })

  it.each(vectors<{ verify: Verification[] }>('spec-bls').verify)(
    'is as the specification has it: %s',
    (_, pubkey, message, signature, expected) => {
      expect(isSignedBy(bytesOf(pubkey), bytesOf(message), bytesOf(signature))).toBe(expected)
    },
  )
})

describe(decodeDepositCall, () => {
  it.each(ethdo)('reads the four arguments of deposit %i', (...row) => {
    const call = decodeDepositCall(row[7])
    expect(call && hex(call.root)).toBe(`0x${row[6]}`)
    expect(call && hex(call.pubkey)).toBe(`0x${row[2]}`)
    expect(call && hex(call.signature)).toBe(`0x${row[4]}`)
  })

  it('takes no other function, no byte more and none less', () => {
    const data = ethdo[0]![7]
    for (const other of [data.replace('0x22895118', '0x22895119'), `${data}00`, data.slice(0, -2), '0x', '', 'deposit', data.slice(2)])
      expect(decodeDepositCall(other)).toBeUndefined()
  })

  it('reads no call in which a byte of offsets, lengths or padding is another', () => {
    const call = bytesOf(ethdo[0]![7])
    for (let index = 4; index < call.length; index++) {
      const changed = call.slice()
      changed[index]! ^= 1
      const decoded = decodeDepositCall(hex(changed))
      // What is still a call says something else, and so the root or an argument differs.
      if (decoded) expect(areEqual(computeDepositDataRoot({ ...decoded, amountGwei: DEPOSIT_GWEI }), decoded.root)).toBe(false)
    }
  })
})

describe(checkDeposit, () => {
  const { expected, fork } = mainnetCase()
  const network = { ...NETWORK, genesisForkVersion: fork }
  const failures = (changes: Partial<typeof expected>, on = network) =>
    checkDeposit({ ...expected, ...changes }, on, isSignedBy)
      .filter(({ passed }) => !passed)
      .map(({ name }) => name)

  it('passes a deposit of another tool, with everything it is to be', () => {
    expect(failures({})).toEqual([])
    expect(checkDeposit(expected, network, isSignedBy)).toHaveLength(6)
  })

  it('fails just where somebody else would be paid', () => {
    expect(failures({ withdrawalAddress: `0x${'ab'.repeat(20)}` })).toEqual(['address'])
  })

  it('fails where the credentials, the key or the chain are others', () => {
    expect(failures({ compounding: true })).toEqual(['credentials'])
    expect(failures({ pubkey: 'ab'.repeat(48) })).toEqual(['pubkey'])
    expect(failures({}, { ...network, genesisForkVersion: '0x10000910' })).toEqual(['signature'])
    expect(failures({ depositData: '0x1234' })).toEqual(['call'])
  })

  it('fails where a bit of the call is another', () => {
    const { depositData } = expected
    const last = depositData.at(-1) === '0' ? '1' : '0'
    expect(failures({ depositData: depositData.slice(0, -1) + last })).toEqual(['root', 'signature'])
  })
})

describe('the transaction', () => {
  const { expected } = mainnetCase()

  it('sends 32 ETH to the contract of the chain', () => {
    expect(depositTransaction(expected.depositData, NETWORK)).toEqual({
      to: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
      value: '0x1bc16d674ec800000',
      data: expected.depositData,
      chainId: '0x1',
    })
  })

  it('says the same as a command and as a link', () => {
    expect(castCommand(expected.depositData, NETWORK)).toContain(`0x${expected.pubkey}`)
    expect(paymentLink(expected.depositData, NETWORK)).toMatch(
      /^ethereum:0x00000000219ab540356cBB839Cbe05303d7705Fa@1\/deposit\?bytes=0x[0-9a-f]{96}&bytes=0x[0-9a-f]{64}&bytes=0x[0-9a-f]{192}&bytes32=0x[0-9a-f]{64}&value=32e18$/,
    )
  })
})

describe(depositNetwork, () => {
  it('knows the chains there are, and no other', () => {
    expect(['mainnet', 'hoodi', 'sepolia', 'dev'].map((chain) => depositNetwork(chain)?.chainId)).toEqual([1, 560048, 11155111, 1337])
    expect(depositNetwork('toString')).toBeUndefined()
  })
})

/** A deposit of deposit-cli that pays an address, laid out as a call. */
function mainnetCase() {
  const row = depositCli.find(([, , , credentials]) => credentials.startsWith('01'))!
  const [, fork, pubkey, credentials, signature, , dataRoot] = row
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const depositData = `0x22895118${word(0x80)}${word(0xe0)}${word(0x120)}${dataRoot}${word(48)}${pubkey}${'0'.repeat(32)}${word(32)}${credentials}${word(96)}${signature}`
  return { fork, expected: { depositData, pubkey, withdrawalAddress: `0x${credentials.slice(24)}`, compounding: false } }
}

function depositOf([, , pubkey, credentials, signature]: Row) {
  return {
    pubkey: bytesOf(pubkey),
    withdrawalCredentials: bytesOf(credentials),
    amountGwei: DEPOSIT_GWEI,
    signature: bytesOf(signature),
  }
}

function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../../packages/ethereum/test/vectors/${name}.json`, import.meta.url), 'utf8')) as T
}
