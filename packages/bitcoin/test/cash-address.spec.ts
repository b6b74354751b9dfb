import { addressOf, scriptOfAddress } from '../src/address.js'
import { decodeCashAddress, encodeCashAddress, hasCashChecksum } from '../src/cashaddr.js'
import { chainRules } from '../src/chain-rules.js'
import { bytes, vectors } from './vectors.js'

const all = vectors<[address: string, type: number, payload: string][]>('bch-cashaddr')
const TYPES = ['key', 'script', 'key', 'script']

describe('the cash address specification', () => {
  it.each(all)('has %s of type %i', (address, type, payload) => {
    const [prefix = '', text = ''] = address.split(':')
    expect(hasCashChecksum(prefix, text)).toBe(true)
    const expected = type < TYPES.length ? { type: TYPES[type], hash: bytes(payload) } : undefined
    expect(decodeCashAddress(text)).toEqual(expected)
  })

  it.each(all.filter(([, type]) => type < 2))('writes %s', (address, type, payload) => {
    const [prefix = ''] = address.split(':')
    expect(encodeCashAddress(prefix, { type: type === 0 ? 'key' : 'script', hash: bytes(payload) })).toBe(address)
  })

  // The table of "Examples of address translation".
  it.each([
    ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR', 'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy'],
    ['16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb', 'bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'],
    ['3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
    ['3LDsS579y7sruadqu11beEJoTjdFiFCdX4', 'bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e'],
    ['31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw', 'bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37'],
  ])('reads the old %s as %s', (old, address) => {
    const rules = chainRules('bch', 'mainnet')
    const script = scriptOfAddress(old, rules)
    expect(addressOf(script, rules)).toBe(address)
    for (const form of [address, address.toUpperCase(), address.replace('bitcoincash:', '')])
      expect(scriptOfAddress(form, rules)).toEqual(script)
  })
})
