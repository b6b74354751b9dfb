import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'

interface PageTab {
  /** Its place in the address. */
  readonly at: string
  readonly label: ReactNode
  readonly content: () => ReactNode
}

interface PageTabsProps {
  label: string
  /** The address of the page, whose last part is the tab. */
  page: string
  tab: string | undefined
  tabs: readonly PageTab[]
}

/** Parts of a page, each with an address of its own; the first is that of the page itself. */
export function PageTabs({ label, page, tab, tabs }: PageTabsProps) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const first = tabs[0]?.at
  const chosen = tabs.find(({ at }) => at === (tab ?? first))
  if (!chosen) return <Navigate to={page} replace />
  return (
    <Tabs
      value={chosen.at}
      onChange={(at) => void navigate(at === first ? page : `${page}/${at}${search}`)}
      keepMounted={false}
      activateTabWithKeyboard={false}
    >
      <Tabs.List aria-label={label} style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
        {tabs.map(({ at, label }) => (
          <Tabs.Tab key={at} value={at}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={chosen.at} pt="lg">
        {chosen.content()}
      </Tabs.Panel>
    </Tabs>
  )
}
