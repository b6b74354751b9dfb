import fc from 'fast-check'
import { partial } from '../testing/partial.js'
import { type HistorySlice, historyRows, withNewest } from './history.js'

describe(historyRows, () => {
  it('has each transaction once, where it was listed first', () => {
    expect(idsOf([page('cba'), page('a'), page('xa')])).toBe('cbax')
  })
})

describe(withNewest, () => {
  it('puts what is new in front', () => {
    expect(idsOf(withNewest([page('cb'), page('a')], page('ed', 'c')))).toBe('edcba')
  })

  it('starts over where more arrived than fits on a page', () => {
    expect(idsOf(withNewest([page('cb'), page('a')], page('zy')))).toBe('zy')
  })

  it('drops an unconfirmed transaction that is no longer listed', () => {
    expect(idsOf(withNewest([page('uv', 'b'), page('a')], page('u', 'b')))).toBe('uba')
  })

  it('keeps unconfirmed ones that the newest page has no room for', () => {
    expect(idsOf(withNewest([page('uv', 'a')], page('wu', '')))).toBe('wuva')
  })

  it('shows the state that a transaction has now', () => {
    const [first] = withNewest([page('u', '')], page('', 'u'))
    expect(first?.items.map(({ confirmations }) => confirmations)).toEqual([1])
  })

  it('shows a growing chain without a gap, however it is looked at', () => {
    const looks = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(looks, (growths) => {
        let height = 10
        let pages = [newestOf(height)]
        for (const growth of growths) {
          height += growth
          pages = withNewest(pages, newestOf(height))
          const rows = historyRows(pages).map(({ txid }) => Number(txid))
          expect(rows).toEqual(rows.map((_, index) => height - index))
        }
      }),
    )
  })
})

/** The newest five of a chain with a transaction a block. */
function newestOf(height: number): HistorySlice {
  return { totalItems: height, items: Array.from({ length: 5 }, (_, index) => transaction(String(height - index), 1 + index)) }
}

/** A page of transactions, one a letter; with two words the first are unconfirmed. */
function page(...words: string[]): HistorySlice {
  const [unconfirmed, confirmed] = words.length === 2 && words[1] !== undefined ? [words[0] ?? '', words[1]] : ['', words[0] ?? '']
  const items = [...[...unconfirmed].map((id) => transaction(id, 0)), ...[...confirmed].map((id) => transaction(id, 1))]
  return { totalItems: items.length, items }
}

function transaction(txid: string, confirmations: number): HistorySlice['items'][number] {
  return partial<HistorySlice['items'][number]>({ txid, confirmations })
}

function idsOf(pages: readonly HistorySlice[]): string {
  return historyRows(pages)
    .map(({ txid }) => txid)
    .join('')
}
