import { ActionIcon } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { layoutTexts } from '../texts/layout.js'

const load = () => import('./account-menu.js')
const AccountMenu = lazy(load)

/** The button of one's account; its menu comes when somebody reaches for it. */
export function AccountButton() {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <ActionIcon
      variant="subtle"
      size="lg"
      color="gray"
      aria-label={layoutTexts.account}
      aria-haspopup="menu"
      aria-expanded={false}
      // The button with the menu takes the place of the one that was pressed.
      autoFocus={isWanted}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
    >
      <IconUser size={20} aria-hidden />
    </ActionIcon>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <AccountMenu>{button}</AccountMenu>
    </Suspense>
  )
}
