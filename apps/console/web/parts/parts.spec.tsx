import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import { EmptyState } from './empty-state.js'
import { FactList } from './fact-list.js'
import { Loaded } from './loaded.js'
import { PageLayout } from './page-layout.js'
import { ProblemNotice } from './problem-notice.js'

describe(Loaded, () => {
  const query = { data: undefined, error: null, refetch: () => undefined }
  const list = (given: object) => rendered(<Loaded query={{ ...query, ...given }}>{(name) => <p>Hello {name}</p>}</Loaded>)

  it('says that it loads while nothing is known', () => {
    expect(list({}).has('role="status" aria-label="Loading"')).toBe(true)
  })

  it('shows a failure with a way to try again', () => {
    const page = list({ error: new Problem('unavailable', 'Away', 'The service is away.') })
    expect(page.text).toContain('The service is away.')
    expect(page.isEnabled('Try again')).toBe(true)
  })

  it('keeps what is known when a newer answer fails', () => {
    const page = list({ data: 'Ada', error: new Problem('unavailable', 'Away', 'The service is away.') })
    expect(page.all('p').join()).toContain('Hello Ada')
    expect(page.text).toContain('The service is away.')
  })
})

describe(ProblemNotice, () => {
  it('is an alert that names the request', () => {
    const problem = new Problem('unavailable', 'Away', 'The service is away.', { headers: { 'x-request-id': 'r-1' } })
    const page = rendered(<ProblemNotice error={problem} />)
    expect(page.has('role="alert"')).toBe(true)
    expect(page.text).toContain('Request r-1')
    expect(page.isEnabled('Try again')).toBeUndefined()
  })
})

describe(FactList, () => {
  it('leaves out facts that do not apply', () => {
    const page = rendered(<FactList facts={[['Height', '7'], false, undefined, ['Peers', 0]]} />)
    expect([page.all('dt'), page.all('dd')]).toEqual([
      ['Height', 'Peers'],
      ['7', '0'],
    ])
  })
})

describe(PageLayout, () => {
  it('has one first heading, and leads to the pages above it', () => {
    const page = rendered(
      <PageLayout title="Block 7" above={[{ to: '/app/bitcoin/btc', label: 'Bitcoin' }]} actions={<button type="button">Next</button>}>
        <EmptyState title="Nothing" text="Nothing yet" />
      </PageLayout>,
    )
    expect(page.all('h1')).toEqual(['Block 7'])
    expect(page.all('h2')).toEqual(['Nothing'])
    expect(page.links).toEqual({ Bitcoin: '/app/bitcoin/btc' })
    expect(page.isEnabled('Next')).toBe(true)
  })
})
