import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import { ChooseChain, FirstChain, WithinChain } from './choose-chain.js'

const KEY = ['platform', 'chains', 'btc-connect']
const to = (chain: string) => `/app/bitcoin/${chain}`
const answers = (...names: string[]) => [[KEY, names.map((name) => ({ name, title: `The ${name} chain`, state: 'up' }))]] as const

describe(ChooseChain, () => {
  const choose = (chain: string, ...names: string[]) =>
    rendered(<ChooseChain area="btc-connect" chain={chain} to={to} />, { answers: answers(...names) })
  const values = (page: ReturnType<typeof choose>) => [...page.html.matchAll(/<input[^>]*value="(\w+)"/g)].map(([, value]) => value)

  it('offers every chain that is served', () => {
    const page = choose('ltc', 'btc', 'ltc', 'mychain')
    expect(values(page)).toEqual(['btc', 'ltc', 'mychain'])
    expect(page.text).toContain('The mychain chain')
  })

  it('shows the current chain before the others are known', () => {
    expect(values(rendered(<ChooseChain area="btc-connect" chain="ltc" to={to} />))).toEqual(['ltc'])
  })
})

describe(FirstChain, () => {
  const first = (given: Parameters<typeof rendered>[1]) => rendered(<FirstChain area="btc-connect" to={to} title="Bitcoin" />, given)

  it('says that the platform serves no chain', () => {
    expect(first({ answers: answers() }).all('h2')).toHaveLength(1)
  })

  it('shows why chains could not be read', () => {
    const page = first({ failures: [[KEY, new Problem('unavailable', 'Away', 'The console is away.')]] })
    expect(page.text).toContain('The console is away.')
    expect(page.isEnabled('Try again')).toBe(true)
  })
})

describe(WithinChain, () => {
  const within = (chain: string, given: Parameters<typeof rendered>[1] = {}) =>
    rendered(
      <WithinChain area="btc-connect" chain={chain} to={to}>
        <p>Blocks</p>
      </WithinChain>,
      given,
    )

  it('shows the page of a chain that is served', () => {
    expect(within('ltc', { answers: answers('btc', 'ltc') }).text).toBe('Blocks')
  })

  it('shows it before the chains are known: they arrive later', () => {
    expect(within('ltc').text).toBe('Blocks')
  })

  it('leads to the other chains from one that is not served', () => {
    const page = within('doge', { answers: answers('btc', 'ltc') })
    expect(page.text).not.toContain('Blocks')
    expect(page.links).toEqual({ 'The btc chain': '/app/bitcoin/btc', 'The ltc chain': '/app/bitcoin/ltc' })
  })

  it.each(['', 'LTC', '../admin', 'a b', 'x'.repeat(100)])('knows that %j is no chain', (name) => {
    expect(within(name).all('h1')).toEqual(['Page not found'])
  })
})
