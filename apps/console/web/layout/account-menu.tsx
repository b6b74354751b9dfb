import { Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconLogout, IconMoon, IconSettings, IconSun } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { platformClient } from '../platform/client.js'
import { chooseOrganization } from '../platform/organization-choice.engine.js'
import { requestSignOut } from '../platform/session.client.js'
import { useSessionChange } from '../platform/use-session.js'
import { layoutTexts } from '../texts/layout.js'
import { OrganizationItems } from './organization-items.js'

/** What opens under the button, which was pressed before this was here. */
export default function AccountMenu({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false)
  // Not from the start: it gives the focus back to what has it when it opens.
  useEffect(() => setOpened(true), [])
  const me = useQuery({
    queryKey: ['accounts', 'me'],
    queryFn: () => platformClient.accounts.users.me(),
    staleTime: 60_000,
    enabled: opened,
  })
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const changed = useSessionChange()
  const navigate = useNavigate()
  async function leave() {
    await requestSignOut()
    chooseOrganization(undefined)
    await changed()
    await navigate('/app/account/sign-in')
  }
  return (
    // A placeholder for the focus would be a child of the menu that is no item.
    <Menu position="bottom-end" width={240} opened={opened} onChange={setOpened} withInitialFocusPlaceholder={false}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.data?.email ?? ' '}</Menu.Label>
        <Menu.Item component={Link} to="/app/settings" leftSection={<IconSettings size={16} aria-hidden />}>
          {layoutTexts.nav.settings}
        </Menu.Item>
        <Menu.Item
          leftSection={isDark ? <IconSun size={16} aria-hidden /> : <IconMoon size={16} aria-hidden />}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? layoutTexts.light : layoutTexts.dark}
        </Menu.Item>
        <Menu.Divider />
        {opened && <OrganizationItems />}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          {layoutTexts.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
