import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import type { ServiceAccount } from '@trestle/contracts/accounts/service-accounts'
import { useReducer } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmButton } from '../parts/confirm-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { EmptyState } from '../parts/empty-state.js'
import { changeField, textField } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { SubmitForm } from '../parts/submit-form.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { currentOrganization } from '../platform/organization-choice.engine.js'
import { ORGANIZATIONS, useOrganizationChoice } from '../platform/use-organizations.js'
import { organizationTexts } from '../texts/organization.js'
import { RoleBadges } from './role-badges.js'
import { RoleFields } from './role-fields.js'
import { may } from './roles.js'
import { hasRole, type RolesForm } from './roles-form.js'

const texts = organizationTexts.serviceAccounts

/** Members of the organization that are no persons. */
export function ServiceAccounts({ own }: { own: Organization }) {
  const accounts = useQuery({
    queryKey: [...ORGANIZATIONS, own.id, 'service-accounts'],
    queryFn: () => platformClient.accounts.serviceAccounts.list({ params: { id: own.id } }),
    refetchInterval: 30_000,
  })
  const [opened, { open, close }] = useDisclosure()
  const create = may(own, 'keys:write') && <Button onClick={open}>{texts.create}</Button>
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw={640}>
          {texts.text}
        </Text>
        {accounts.data?.length !== 0 && create}
      </Group>
      <Loaded query={accounts}>
        {(rows) => (
          <DataTable
            label={organizationTexts.tabs.serviceAccounts}
            rows={rows}
            columns={columns(own)}
            keyOf={({ id }) => id}
            minWidth={760}
            empty={
              <EmptyState title={texts.empty} text={texts.emptyText}>
                {create}
              </EmptyState>
            }
          />
        )}
      </Loaded>
      <Modal opened={opened} onClose={close} title={texts.create}>
        <CreateForm own={own} onDone={close} />
      </Modal>
    </Stack>
  )
}

function columns(own: Organization): Column<ServiceAccount>[] {
  const shown: Column<ServiceAccount>[] = [
    { name: 'name', header: texts.name, cell: ({ name }) => name, width: '2fr' },
    { name: 'roles', header: texts.roles, cell: ({ roles }) => <RoleBadges roles={roles} />, width: '2fr' },
    { name: 'created', header: texts.created, cell: ({ createdAt }) => <Time value={createdAt} /> },
  ]
  if (!may(own, 'keys:write')) return shown
  const cell = (account: ServiceAccount) => <Actions own={own} account={account} />
  return [...shown, { name: 'actions', header: texts.actions, align: 'right', width: '240px', cell }]
}

function Actions({ own, account: { id, name } }: { own: Organization; account: ServiceAccount }) {
  const client = useQueryClient()
  async function remove() {
    await platformClient.accounts.serviceAccounts.remove({ params: { id: own.id, userId: id } })
    notifications.show({ message: texts.deleted })
    await client.invalidateQueries({ queryKey: ORGANIZATIONS })
  }
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <CreateKeyButton own={own} id={id} name={name} />
      <ConfirmButton action={texts.delete} title={texts.deleteTitle(name)} size="xs" onConfirm={remove}>
        <Text>{texts.deleteText}</Text>
      </ConfirmButton>
    </Group>
  )
}

/** Keys are those of the organization that all pages are about. */
function CreateKeyButton({ own, id, name }: { own: Organization; id: string; name: string }) {
  const navigate = useNavigate()
  const choose = useOrganizationChoice()
  async function go() {
    if (currentOrganization() !== own.id) await choose(own.id)
    await navigate(`/app/keys?for=${id}`)
  }
  return (
    <Button size="xs" variant="default" aria-label={texts.createKeyFor(name)} onClick={() => void go()}>
      {texts.createKey}
    </Button>
  )
}

interface ServiceAccountForm extends RolesForm {
  readonly name: string
}

function CreateForm({ own, onDone }: { own: Organization; onDone: () => void }) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(changeField<ServiceAccountForm>, { name: '', roles: ['member'] })
  const { name, roles } = form
  const creating = useMutation({
    mutationFn: () => platformClient.accounts.serviceAccounts.create({ params: { id: own.id }, body: { name, roles: [...roles] } }),
    onSuccess: async () => {
      onDone()
      await client.invalidateQueries({ queryKey: ORGANIZATIONS })
    },
  })
  const canCreate = name.trim() !== '' && hasRole(form)
  return (
    <SubmitForm action={texts.create} submission={creating} problem={creating.error} disabled={!canCreate} button="right">
      <TextInput
        {...textField(form, dispatch, 'name')}
        label={texts.name}
        description={texts.nameHint}
        required
        maxLength={100}
        data-autofocus
      />
      <RoleFields own={own} value={roles} onChange={(value) => dispatch({ type: 'changed', field: 'roles', value })} isPerson={false} />
    </SubmitForm>
  )
}
