import { Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { platformClient } from '../platform/client.js'
import { chooseOrganization, currentOrganization } from '../platform/organization-choice.engine.js'
import { useSessionChange } from '../platform/use-session.js'
import { layoutTexts } from '../texts/layout.js'

/** The items of a menu that choose which organization the pages are about. */
export function OrganizationItems() {
  const organizations = useQuery({
    queryKey: ['accounts', 'organizations'],
    queryFn: () => platformClient.accounts.organizations.list(),
    staleTime: 60_000,
  })
  const changed = useSessionChange()
  const navigate = useNavigate()
  async function choose(id: string | undefined) {
    chooseOrganization(id)
    // What is shown belongs to the other one.
    await navigate('/app')
    await changed()
  }
  const chosen = currentOrganization()
  return (
    <>
      <Menu.Label>{layoutTexts.organization}</Menu.Label>
      {organizations.data?.map(({ id, name, personal }) => {
        const choice = personal ? undefined : id
        return (
          <Menu.RadioItem key={id} value={id} checked={choice === chosen} onChange={() => void choose(choice)} closeMenuOnClick>
            {personal ? layoutTexts.personal : name}
          </Menu.RadioItem>
        )
      })}
      <Menu.Item component={Link} to="/app/organization?new=1" leftSection={<IconPlus size={16} aria-hidden />}>
        {layoutTexts.newOrganization}
      </Menu.Item>
    </>
  )
}
