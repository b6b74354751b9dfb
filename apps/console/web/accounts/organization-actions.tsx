import { Alert, Button, List, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import { ConfirmButton } from '../parts/confirm-button.js'
import { platformClient } from '../platform/client.js'
import { currentOrganization } from '../platform/organization-choice.engine.js'
import { ORGANIZATIONS, useOrganizationChoice } from '../platform/use-organizations.js'
import { accountsTexts } from '../texts/accounts.js'
import { organizationTexts } from '../texts/organization.js'
import { OrganizationNameForm } from './organization-name-form.js'

const texts = accountsTexts.organization
const dissolveTexts = organizationTexts.dissolve

interface OwnProps {
  own: Organization
}

export function Rename({ own: { id, name } }: OwnProps) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" onClick={open}>
        {texts.rename}
      </Button>
      <Modal opened={opened} onClose={close} title={texts.renameTitle} centered>
        <OrganizationNameForm
          name={name}
          action={texts.save}
          button="right"
          save={(body) => platformClient.accounts.organizations.rename({ params: { id }, body }).then(close)}
        />
      </Modal>
    </>
  )
}

export function Leave({ own: { id, name } }: OwnProps) {
  const left = useDeparture(id)
  const me = useQuery({ queryKey: ['accounts', 'me'], queryFn: () => platformClient.accounts.users.me() })
  async function leave() {
    await platformClient.accounts.organizations.removeMember({ params: { id, userId: me.data?.id ?? '' } })
    await left()
  }
  return (
    <ConfirmButton action={texts.leave} title={texts.leaveTitle(name)} disabled={!me.data} onConfirm={leave}>
      <Text>{texts.leaveText}</Text>
    </ConfirmButton>
  )
}

/** Call after leaving: the pages can no longer be about the organization. */
function useDeparture(id: string) {
  const choose = useOrganizationChoice()
  return () => choose(currentOrganization() === id ? undefined : currentOrganization())
}

/** Says what happens before it is asked for. */
export function Dissolve({ own: { id, name } }: OwnProps) {
  const left = useDeparture(id)
  const members = useQuery({
    queryKey: [...ORGANIZATIONS, id, 'members'],
    queryFn: () => platformClient.accounts.organizations.members({ params: { id } }),
  })
  const others = (members.data?.filter(({ serviceAccount }) => !serviceAccount).length ?? 1) - 1
  async function dissolve() {
    await platformClient.accounts.organizations.remove({ params: { id } })
    await left()
  }
  return (
    <ConfirmButton action={texts.dissolve} title={texts.dissolveTitle(name)} word={name} isBlocked={others > 0} onConfirm={dissolve}>
      <Text>{dissolveTexts.happens}</Text>
      <List size="sm">
        {dissolveTexts.effects.map((effect) => (
          <List.Item key={effect}>{effect}</List.Item>
        ))}
      </List>
      {others > 0 && <Alert color="yellow">{dissolveTexts.blocked(others)}</Alert>}
    </ConfirmButton>
  )
}
