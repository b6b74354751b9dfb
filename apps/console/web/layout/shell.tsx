import { ActionIcon } from '@mantine/core'
import { IconMenu2, IconX } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Outlet } from 'react-router'
import { PageLoading } from '../parts/page-loading.js'
import { layoutTexts } from '../texts/layout.js'
import { AccountButton } from './account-button.js'
import { Brand } from './brand.js'
import { Navigation } from './navigation.js'

/** The frame of every page. */
export function Shell() {
  const [opened, setOpened] = useState(false)
  const Icon = opened ? IconX : IconMenu2
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {layoutTexts.skip}
      </a>
      <header className="shell-header">
        <ActionIcon
          variant="subtle"
          size="lg"
          color="gray"
          hiddenFrom="sm"
          aria-label={layoutTexts.menu}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon size={22} aria-hidden />
        </ActionIcon>
        <Brand />
        <div className="shell-account">
          <AccountButton />
        </div>
      </header>
      <nav className="shell-nav" aria-label={layoutTexts.areas} data-opened={opened}>
        <Navigation onNavigate={() => setOpened(false)} />
      </nav>
      <main className="shell-main" id="content" tabIndex={-1}>
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}
