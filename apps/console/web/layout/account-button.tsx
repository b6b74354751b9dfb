import { ActionIcon } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { layoutTexts } from '../texts/layout.js'

const load = () => import('./account-menu.js')
const AccountMenu = lazy(load)

/** The account button; its menu is loaded on hover or focus. */
export function AccountButton() {
  const [isOpened, setOpened] = useState(false)
  const button = (
    <ActionIcon
      variant="subtle"
      size="lg"
      color="gray"
      aria-label={layoutTexts.account}
      aria-haspopup="menu"
      aria-expanded={false}
      // The button with the menu takes the place of the one that was pressed.
      autoFocus={isOpened}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setOpened(true)}
    >
      <IconUser size={20} aria-hidden />
    </ActionIcon>
  )
  if (!isOpened) return button
  return (
    <Suspense fallback={button}>
      <AccountMenu>{button}</AccountMenu>
    </Suspense>
  )
}
