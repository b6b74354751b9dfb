import { hash160 } from '@trestle/bitcoin/hash'
import { base58Check, keyOf } from './keys.js'
import { ownerOf, PEOPLE, SHOP } from './owners.js'

describe(keyOf, () => {
  it('makes the same key of the same name, and another of another', () => {
    expect(keyOf('till')).toEqual(keyOf('till'))
    expect(keyOf('till').wif).not.toBe(keyOf('shop').wif)
    expect(keyOf('till').wif).toMatch(/^c[1-9A-HJ-NP-Za-km-z]{51}$/)
  })

  it('writes keys as wallets do', () => {
    // The key of Bitcoin wiki's "Wallet import format", of a test network and compressed.
    const payload = Buffer.from('ef0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d01', 'hex')
    expect(base58Check(payload)).toBe('cMzLdeGd5vEqxB8B6VFQoRopQ3sLAAvEzDAoQgvX54xwofSWj1fx')
  })
})

describe(ownerOf, () => {
  it('is paid by the hash of the key, in a script or a witness', () => {
    const key = hash160(SHOP.key.publicKey).toString('hex')
    expect(SHOP.script.toString('hex')).toBe(`76a914${key}88ac`)
    expect(ownerOf('shop', 'witnessKeyHash').script.toString('hex')).toBe(`0014${key}`)
    const { script, redeemScript } = ownerOf('shop', 'witnessInScriptHash')
    expect(redeemScript?.toString('hex')).toBe(`0014${key}`)
    expect(script.toString('hex')).toBe(`a914${hash160(redeemScript ?? Buffer.of()).toString('hex')}87`)
  })

  it('is somebody else for each person', () => {
    expect(new Set(PEOPLE.map(({ script }) => script.toString('hex'))).size).toBe(24)
  })
})
