import { scriptOfAddress } from '@trestle/bitcoin/address'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { entryProblem, trackedScripts, trackFileEntries } from './track.js'

const RULES = chainRules('btc', 'mainnet')
const ADDRESS = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
const XPUB = 'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V'

describe(trackedScripts, () => {
  it('are those of addresses and of the first thousand keys of a range, each once', () => {
    const scripts = trackedScripts([ADDRESS, `wpkh(${XPUB}/0/*)`, `wpkh(${XPUB}/0/999)`], RULES)
    expect(scripts).toHaveLength(1_000)
    expect(scripts[0]).toEqual(scriptOfAddress(ADDRESS, RULES))
  })

  it('are owners: tracking a key hash tracks the bare key too', () => {
    const key = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600'
    expect(trackedScripts([`raw(21${key}ac)`], RULES)).toEqual(trackedScripts([`pkh(${key})`], RULES))
  })
})

describe(entryProblem, () => {
  it('is undefined for an address or a descriptor of the chain', () => {
    for (const entry of [ADDRESS, `addr(${ADDRESS})`, `sh(wpkh(${XPUB}/1/*))`, 'raw(deadbeef)#89f8spxm'])
      expect(entryProblem(entry, RULES)).toBeUndefined()
  })

  it.each([
    ['nonsense', 'nonsense is no address of btc mainnet: '],
    ['raw(deadbeef)#89f8spxq', 'raw(deadbeef)#89f8spxq cannot be tracked on btc mainnet: the checksum after its # is not right'],
    ['wsh(wpkh(02))', 'wsh(wpkh(02)) cannot be tracked on btc mainnet: wsh() takes no wpkh()'],
  ])('names %s', (entry, message) => {
    expect(entryProblem(entry, RULES)).toContain(message)
  })

  it.each([
    'wpkh(L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1)',
    'L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1',
    'pkh(xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U/0)',
  ])('never shows a private key, of %s', (entry) => {
    expect(entryProblem(entry, RULES)).toContain('(a private key)')
    expect(entryProblem(entry, RULES)).not.toMatch(/L4rK|xprv/)
  })
})

describe(trackFileEntries, () => {
  it('are lines without comments; the # of a checksum starts none', () => {
    expect(trackFileEntries(`# mine\n${ADDRESS}  # the shop\r\n\n  raw(deadbeef)#89f8spxm\n#${ADDRESS}`)).toEqual([
      ADDRESS,
      'raw(deadbeef)#89f8spxm',
    ])
  })
})
