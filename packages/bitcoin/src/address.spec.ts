import fc from 'fast-check'
import { buffer, CHAIN_NETWORKS, rules } from '../test/arbitraries.js'
import { bytes } from '../test/vectors.js'
import { addressOf, InvalidAddress, scriptOfAddress } from './address.js'
import { type ChainRules, type Coin, chainRules, formatOf, type Network } from './chain-rules.js'
import { payToPublicKeyHash, payToScriptHash, payToWitness } from './script.js'

const HASH = bytes('751e76e8199196d454941c45d1b3a323f1433bd6')
const KEY_SCRIPT = bytes('210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798ac')

const printed: [Coin, Network, key: string, script: string][] = [
  ['btc', 'mainnet', '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', '3CNHUhP3uyB9EUtRLsmvFUmvGdjGdkTxJw'],
  ['bch', 'mainnet', 'bitcoincash:qp63uahgrxged4z5jswyt5dn5v3lzsem6cy4spdc2h', 'bitcoincash:pp63uahgrxged4z5jswyt5dn5v3lzsem6cnsdw2m32'],
  ['ltc', 'mainnet', 'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ', 'MJaRnao1s62a2zAKSkmG582KbLKianqb7v'],
]

describe(addressOf, () => {
  it.each(printed)('on %s %s is that of the hash', (coin, network, key, script) => {
    const rules = chainRules(coin, network)
    expect(addressOf(payToPublicKeyHash(HASH), rules)).toBe(key)
    expect(addressOf(KEY_SCRIPT, rules)).toBe(key)
    expect(addressOf(payToScriptHash(HASH), rules)).toBe(script)
    expect(scriptOfAddress(key, rules)).toEqual(payToPublicKeyHash(HASH))
    expect(scriptOfAddress(script, rules)).toEqual(payToScriptHash(HASH))
  })

  it('is none for what one cannot pay to by an address', () => {
    for (const script of ['', '6a', '51', '0010abababababababababababababababab', '51'.repeat(60)].map(bytes))
      for (const [coin, network] of CHAIN_NETWORKS) expect(addressOf(script, chainRules(coin, network))).toBeUndefined()
  })

  it('is a cash address of 32 bytes for P2SH32, on Bitcoin Cash alone', () => {
    const script = payToScriptHash(Buffer.alloc(32, 0xab))
    const address = addressOf(script, chainRules('bch', 'mainnet'))
    expect(address).toMatch(/^bitcoincash:p[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{60}$/)
    expect(scriptOfAddress(address!, chainRules('bch', 'mainnet'))).toEqual(script)
    expect(addressOf(script, chainRules('btc', 'mainnet'))).toBeUndefined()
  })

  it('is none on Bitcoin Cash for a witness program, which anyone may spend there', () => {
    expect(addressOf(payToWitness({ version: 0, program: HASH }), chainRules('bch', 'mainnet'))).toBeUndefined()
  })

  it('is that of BIP 433 for an anchor', () => {
    expect(addressOf(bytes('51024e73'), chainRules('btc', 'mainnet'))).toBe('bc1pfeessrawgf')
  })
})

describe('a script and its address', () => {
  it('are the same, on every network', () => {
    fc.assert(
      fc.property(payable, ({ script, rules }) => {
        const address = addressOf(script, rules)
        expect(scriptOfAddress(address ?? '', rules)).toEqual(script)
        expect(scriptOfAddress(` ${address}\n`, rules)).toEqual(script)
      }),
      { numRuns: 500 },
    )
  })

  it('are refused by every network that prints another', () => {
    fc.assert(
      fc.property(payable, rules, ({ script, rules }, other) => {
        const address = addressOf(script, rules) ?? ''
        if (!sharesAddresses(rules, other)) expect(() => scriptOfAddress(address, other)).toThrow(InvalidAddress)
      }),
      { numRuns: 500 },
    )
  })

  it('have nothing to do with an address of which one character changed', () => {
    const character = fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7l')
    fc.assert(
      fc.property(payable, fc.nat(), character, ({ script, rules }, at, character) => {
        const address = addressOf(script, rules) ?? ''
        const index = at % address.length
        const changed = address.slice(0, index) + character + address.slice(index + 1)
        if (changed !== address) expect(() => scriptOfAddress(changed, rules)).toThrow(InvalidAddress)
      }),
      { numRuns: 500 },
    )
  })
})

describe(scriptOfAddress, () => {
  it.each<[string, string, Coin]>([
    ['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMh', 'Checksum mismatch', 'btc'],
    ['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAM0', 'Non-base58 character', 'btc'],
    ['', 'Input string too short', 'btc'],
    ['2', 'Input string too short', 'btc'],
    ['5Hwgr3u458GLafKBgxtssHSPqJnYoGrSzgQsPwLFhLNYskDPyyA', 'Address buffers must be exactly 21 bytes.', 'btc'],
    ['mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r', 'Mismatched network type', 'btc'],
    ['LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ', 'Mismatched network type', 'btc'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'Mismatched network type', 'btc'],
    ['bitcoincash:qp63uahgrxged4z5jswyt5dn5v3lzsem6cy4spdc2h', 'Mismatched network type', 'btc'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'Checksum mismatch', 'btc'],
    ['bc1rw5uspcuh', 'Witness program is not valid', 'btc'],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj', 'Checksum mismatch', 'btc'],
    ['bc1pw5dgrnzv', 'Witness program is not valid', 'btc'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'Mismatched network type', 'ltc'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'Mismatched network type', 'bch'],
    ['bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t', 'Mismatched network type', 'bch'],
    ['pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t', 'Mismatched network type', 'bch'],
    ['pref:pr6m7j9njldwwzlg9v7v53unlr4jkmx6ey65nvtks5', 'Mismatched network type', 'bch'],
    ['bitcoincash:qp63uahgrxged4z5jswyt5dn5v3lzsem6cy4spdc2q', 'Checksum mismatch', 'bch'],
    ['bitcoincash:Qp63uahgrxged4z5jswyt5dn5v3lzsem6cy4spdc2h', 'Address mixes upper and lower case', 'bch'],
    ['bitcoincash:', 'Checksum mismatch', 'bch'],
    [':', 'Checksum mismatch', 'bch'],
    ['1'.repeat(121), 'Address is too long', 'btc'],
  ])('refuses %j: %s', (address, message, coin) => {
    expect(() => scriptOfAddress(address, chainRules(coin, 'mainnet'))).toThrow(new InvalidAddress(message))
  })

  it.each([
    ['mainnet', 'M'],
    ['testnet', 'Q'],
    ['regtest', 'Q'],
  ] as const)('takes the old and the new script address of Litecoin: %s', (network, first) => {
    const rules = chainRules('ltc', network)
    const script = payToScriptHash(HASH)
    const [printed, old] = [addressOf(script, rules)!, addressOf(script, chainRules('btc', network))!]
    expect(printed[0]).toBe(first)
    expect(scriptOfAddress(printed, rules)).toEqual(script)
    expect(scriptOfAddress(old, rules)).toEqual(script)
  })

  it.each(['ltcmweb', 'tmweb'])('says what an address of %s is', (prefix) => {
    const address = `${prefix}1qq${'q'.repeat(110)}`
    for (const network of ['mainnet', 'testnet', 'regtest'] as const)
      expect(() => scriptOfAddress(address, chainRules('ltc', network))).toThrow('An address of the extension block (MWEB) has no history')
    expect(() => scriptOfAddress(address, chainRules('btc', 'mainnet'))).toThrow(InvalidAddress)
  })

  it('takes the address of an owner who takes tokens', () => {
    const rules = chainRules('bch', 'mainnet')
    expect(scriptOfAddress('bitcoincash:zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe', rules)).toEqual(
      scriptOfAddress('bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2', rules),
    )
  })

  it('refuses any other text, and says why', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), rules, (text, rules) => {
        expect(() => scriptOfAddress(text, rules)).toThrow(InvalidAddress)
      }),
      { numRuns: 2000 },
    )
  })
})

const program = fc
  .tuple(fc.integer({ min: 0, max: 16 }), buffer(2, 40))
  .filter(([version, { length }]) => version > 0 || length === 20 || length === 32)
  .map(([version, program]) => payToWitness({ version, program }))

const hashed = buffer(20).chain((hash) => fc.constantFrom(payToPublicKeyHash(hash), payToScriptHash(hash)))

const payable = rules
  .chain((rules) => {
    const { cash, witness } = formatOf(rules.coin)
    const others = cash ? [buffer(32).map(payToScriptHash)] : witness ? [program] : []
    const script = fc.oneof(hashed, ...others)
    return script.map((script) => ({ script, rules }))
  })
  // The extension block of Litecoin is not addressed so.
  .filter(({ script, rules }) => rules.coin !== 'ltc' || !['5820', '5920'].includes(script.toString('hex', 0, 2)))

/** The test networks share versions, and Bitcoin Cash and Litecoin take the old forms of Bitcoin. */
function sharesAddresses(one: ChainRules, other: ChainRules): boolean {
  const isTest = ({ network }: ChainRules) => network !== 'mainnet'
  return isTest(one) === isTest(other)
}
