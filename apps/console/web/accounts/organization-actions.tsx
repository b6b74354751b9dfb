import { Button, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import { ConfirmButton } from '../parts/confirm-button.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { ORGANIZATIONS, OrganizationNameForm } from './organization-name-form.js'

const texts = accountsTexts.organization

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
  const client = useQueryClient()
  const me = useQuery({ queryKey: ['accounts', 'me'], queryFn: () => platformClient.accounts.users.me() })
  async function leave() {
    await platformClient.accounts.organizations.removeMember({ params: { id, userId: me.data?.id ?? '' } })
    client.setQueryData(ORGANIZATIONS, [])
  }
  return (
    <ConfirmButton action={texts.leave} title={texts.leaveTitle(name)} disabled={!me.data} onConfirm={leave}>
      <Text>{texts.leaveText}</Text>
    </ConfirmButton>
  )
}

export function Dissolve({ own: { id, name } }: OwnProps) {
  const client = useQueryClient()
  async function dissolve() {
    await platformClient.accounts.organizations.remove({ params: { id } })
    client.setQueryData(ORGANIZATIONS, [])
  }
  return (
    <ConfirmButton action={texts.dissolve} title={texts.dissolveTitle(name)} word={name} onConfirm={dissolve}>
      <Text>{texts.dissolveText}</Text>
    </ConfirmButton>
  )
}
