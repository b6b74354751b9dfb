import { Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { currentOrganization } from '../platform/organization-choice.engine.js'
import { useOrganizationChoice, useOrganizations } from '../platform/use-organizations.js'
import { layoutTexts } from '../texts/layout.js'

/** The items of a menu that choose which organization the pages are about. */
export function OrganizationItems() {
  const organizations = useOrganizations()
  const choose = useOrganizationChoice()
  const navigate = useNavigate()
  async function switchTo(id: string | undefined) {
    await navigate('/app')
    await choose(id)
  }
  const chosen = currentOrganization()
  return (
    <>
      <Menu.Label>{layoutTexts.organization}</Menu.Label>
      {organizations.data?.map(({ id, name, personal }) => {
        const choice = personal ? undefined : id
        return (
          <Menu.RadioItem key={id} value={id} checked={choice === chosen} onChange={() => void switchTo(choice)} closeMenuOnClick>
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
