import fc from 'fast-check'
import { isRestPath } from './rest-path.js'

const HASH = 'a1'.repeat(32)

describe(isRestPath, () => {
  it.each([
    `/rest/tx/${HASH}.json`,
    `/rest/block/${HASH}.bin`,
    `/rest/block/notxdetails/${HASH}.hex`,
    `/rest/headers/2000/${HASH}.bin`,
    `/rest/headers/${HASH}.json?count=5`,
    `/rest/blockfilter/basic/${HASH}.bin`,
    `/rest/blockfilterheaders/basic/5/${HASH}.bin`,
    '/rest/blockhashbyheight/840000.hex',
    '/rest/chaininfo.json',
    '/rest/deploymentinfo.json',
    `/rest/deploymentinfo/${HASH}.json`,
    '/rest/mempool/info.json',
    '/rest/mempool/contents.json?verbose=true&mempool_sequence=false',
    `/rest/getutxos/checkmempool/${HASH}-0/${HASH}-1.json`,
    `/rest/spenttxouts/${HASH}.json`,
  ])('knows %s', (path) => {
    expect(isRestPath(path)).toBe(true)
  })

  it('knows no path with anything in it that leads elsewhere', () => {
    const parts = fc.constantFrom(
      '..',
      '.',
      '/',
      '//',
      '%2e',
      '%2f',
      '\\',
      '?',
      '#',
      ';',
      'rest',
      'tx',
      'chaininfo.json',
      HASH,
      '.json',
      '\0',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(parts), (pieces) => {
        const path = `/rest/${pieces.join('')}`
        if (isRestPath(path)) expect(path).toMatch(/^\/rest\/(?:tx\/|)[a-z0-9]+\.json\??$/)
      }),
    )
  })
})
