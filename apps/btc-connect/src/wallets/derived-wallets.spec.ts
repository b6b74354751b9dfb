import { chainRules } from '@trestle/bitcoin/chain-rules'
import { DerivedWallets } from './derived-wallets.engine.js'

const XPUB = 'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ'
const KEY = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600'
const RULES = chainRules('btc', 'mainnet')

describe(DerivedWallets, () => {
  it('derives a script once', () => {
    const wallets = new DerivedWallets(RULES)
    expect(wallets.get(XPUB).scriptAt(1, 2)).toBe(wallets.get(XPUB).scriptAt(1, 2))
    expect(wallets.get(XPUB).scriptAt(1, 2)).toMatchObject({ branch: 1, index: 2, address: expect.stringMatching(/^1/) })
  })

  it('forgets the wallets that were asked about least recently, once it has too many scripts', () => {
    const wallets = new DerivedWallets(RULES, 10)
    const [first, second, third] = [0, 1, 2].map((path) => `wpkh(${XPUB}/${path}/*)`) as [string, string, string]
    const script = wallets.get(first).scriptAt(0, 0)
    for (let index = 0; index < 6; index++) wallets.get(second).scriptAt(0, index)
    expect(wallets.get(first).scriptAt(0, 0)).toBe(script)
    for (let index = 0; index < 6; index++) wallets.get(third).scriptAt(0, index)
    expect(wallets.get(first).scriptAt(0, 0)).toBe(script)
    expect(wallets.size).toBe(2)
  })

  it('stays bounded, whatever is asked', () => {
    const wallets = new DerivedWallets(RULES, 10)
    for (let path = 0; path < 100; path++) wallets.get(`pkh(${XPUB}/${path})`)
    expect(wallets.size).toBeLessThan(12)
  })

  it('names bare multisig by its script, which has no address', () => {
    const { script, address } = new DerivedWallets(RULES).get(`multi(1,${KEY})`).scriptAt(0, 0)
    expect(address).toBe(script.toString('hex'))
  })
})
