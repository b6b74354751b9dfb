import { ActionIcon } from '@mantine/core'
import { IconMenu2, IconX } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Outlet } from 'react-router'
import { Waiting } from '../parts/waiting.js'
import { layout } from '../texts/layout.js'
import { Account } from './account.js'
import { Brand } from './brand.js'
import { Navigation } from './navigation.js'

/** What stands around every page. */
export function Shell() {
  const [opened, setOpened] = useState(false)
  const Icon = opened ? IconX : IconMenu2
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {layout.skip}
      </a>
      <header className="shell-header">
        <ActionIcon
          variant="subtle"
          size="lg"
          color="gray"
          hiddenFrom="sm"
          aria-label={layout.menu}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon size={22} aria-hidden />
        </ActionIcon>
        <Brand />
        <div className="shell-account">
          <Account />
        </div>
      </header>
      <nav className="shell-nav" aria-label={layout.areas} data-opened={opened}>
        <Navigation onNavigate={() => setOpened(false)} />
      </nav>
      <main className="shell-main" id="content" tabIndex={-1}>
        <Suspense fallback={<Waiting />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}
