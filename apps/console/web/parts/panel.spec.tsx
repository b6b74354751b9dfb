import { Problem } from '@trestle/problem/problem'
import { rendered } from '../testing/rendered.js'
import { ConfirmButton } from './confirm-button.js'
import { CopyButton, Hash } from './copy-button.js'
import { DownloadButton } from './download-button.js'
import { ListPage } from './list-page.js'
import { PageTabs } from './page-tabs.js'
import { Panel } from './panel.js'
import { Secret } from './secret.js'
import { Snippets } from './snippets.js'

const ignore = () => undefined

describe(Panel, () => {
  it('is a region named by its heading', () => {
    const page = rendered(
      <Panel title="Access" text="Who may call it." action={<button type="button">Change</button>}>
        <p>Everyone</p>
      </Panel>,
    )
    expect(page.has(/<section[^>]*aria-label="Access"/)).toBe(true)
    expect(page.all('h2')).toEqual(['Access'])
    expect(page.text).toBe('Access Change Who may call it. Everyone')
  })
})

describe(ListPage, () => {
  const texts = { title: 'Nodes', description: 'Your nodes.', create: 'Create a node', empty: 'No nodes yet', emptyText: 'Create one.' }
  const list = (given: object) =>
    rendered(
      <ListPage<string>
        texts={texts}
        query={{ data: undefined, error: null, refetch: ignore, ...given }}
        createPath="/new"
        header={<p>Chains</p>}
      >
        {(rows) => rows.join(', ')}
      </ListPage>,
    )
  const createLinks = (page: ReturnType<typeof list>) => page.all('a').filter((name) => name === 'Create a node').length

  it('offers to create one from the first moment on', () => {
    const page = list({})
    expect(page.has('aria-label="Loading"')).toBe(true)
    expect(createLinks(page)).toBe(1)
  })

  it('invites to create the first, once', () => {
    const page = list({ data: [] })
    expect(page.all('h2')).toEqual(['No nodes yet'])
    expect(page.links['Create a node']).toBe('/new')
    expect(createLinks(page)).toBe(1)
  })

  it('shows what there is, below its header', () => {
    const page = list({ data: ['one', 'two'] })
    expect(page.text).toContain('Chains one, two')
    expect(page.text).not.toContain('No nodes yet')
    expect(createLinks(page)).toBe(1)
  })

  it('claims nothing about a list that could not be read', () => {
    const page = list({ error: new Problem('unavailable', 'Away', 'The service is away.') })
    expect(page.text).toContain('The service is away.')
    expect(page.text).not.toContain('No nodes yet')
  })
})

describe(PageTabs, () => {
  const tabs = ['overview', 'logs'].map((at) => ({ at, label: at.toUpperCase(), content: () => <p>{at} of it</p> }))
  const page = (tab?: string) => rendered(<PageTabs label="About it" page="/it" tab={tab} tabs={tabs} />)
  const selected = (tab?: string) => /aria-selected="true"[^>]*>(.*?)<\/button>/s.exec(page(tab).html)?.[1]?.replace(/<[^>]*>/g, '')

  it.each([
    [undefined, 'OVERVIEW', 'overview of it'],
    ['overview', 'OVERVIEW', 'overview of it'],
    ['logs', 'LOGS', 'logs of it'],
  ])('at %j shows only the tab %s', (tab, label, content) => {
    expect(selected(tab)).toBe(label)
    expect(page(tab).all('p')).toEqual([content])
  })

  it('shows nothing of an unknown tab', () => {
    expect(page('nothing').text).toBe('')
  })
})

describe(ConfirmButton, () => {
  it('asks nothing before it is pressed', () => {
    const page = rendered(
      <ConfirmButton action="Delete" title="Delete it?" onConfirm={() => Promise.resolve()}>
        <p>For ever.</p>
      </ConfirmButton>,
    )
    expect(page.isEnabled('Delete')).toBe(true)
    expect(page.text).toBe('Delete')
  })

  it('may be disabled', () => {
    const page = rendered(
      <ConfirmButton action="Leave" title="Leave?" disabled onConfirm={() => Promise.resolve()}>
        Really?
      </ConfirmButton>,
    )
    expect(page.isEnabled('Leave')).toBe(false)
  })
})

describe(Hash, () => {
  it.each([
    ['short values whole', 'a'.repeat(20), true, 'a'.repeat(20)],
    ['long values shortened', `${'a'.repeat(10)}${'b'.repeat(20)}${'c'.repeat(6)}`, true, 'aaaaaaaaaa…cccccc'],
    ['long values whole where there is room', 'a'.repeat(64), undefined, 'a'.repeat(64)],
  ])('shows %s, and keeps the whole for copying', (_title, value, short, shown) => {
    const page = rendered(<Hash value={value} short={short} label="Copy it" />)
    expect(page.text).toBe(shown)
    expect(page.has(`title="${value}"`)).toBe(true)
    expect(page.isEnabled('Copy it')).toBe(true)
  })
})

describe(CopyButton, () => {
  it('is named, by itself or by what it copies', () => {
    expect(rendered(<CopyButton value="x" />).isEnabled('Copy')).toBe(true)
    expect(rendered(<CopyButton value="x" label="Copy the URL" />).isEnabled('Copy the URL')).toBe(true)
  })
})

describe(Secret, () => {
  it('is hidden until it is shown, but can be copied', () => {
    const page = rendered(<Secret value="s3cret" label="password" />)
    expect(page.html).not.toContain('s3cret')
    expect([page.isEnabled('Show password'), page.isEnabled('Copy password')]).toEqual([true, true])
  })
})

describe(Snippets, () => {
  it('has a tab for each language, the first open', () => {
    const page = rendered(<Snippets label="Languages" snippets={{ curl: 'curl -d "{}"', viem: 'createPublicClient()' }} />)
    expect(page.has('aria-label="Languages"')).toBe(true)
    expect(page.all('pre')).toEqual(['curl -d "{}"'])
    expect(page.text).toContain('viem')
  })
})

describe(DownloadButton, () => {
  it.each([true, false])('where disabled is %s can be pressed accordingly', (disabled) => {
    const page = rendered(
      <DownloadButton fileName="a.csv" type="text/csv" text={() => ''} disabled={disabled}>
        CSV
      </DownloadButton>,
    )
    expect(page.isEnabled('CSV')).toBe(!disabled)
  })
})
