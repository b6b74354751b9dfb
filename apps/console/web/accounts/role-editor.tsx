import { Button, type ButtonProps, Checkbox, Fieldset, Modal, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Organization, RoleDefinition } from '@trestle/contracts/accounts/organizations'
import { PERMISSIONS } from '@trestle/contracts/permissions'
import { useReducer } from 'react'
import { changeField, textField } from '../parts/form.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { ORGANIZATIONS } from '../platform/use-organizations.js'
import { organizationTexts } from '../texts/organization.js'
import { PERMISSION_GROUPS, permissionsAmong } from './permission-groups.js'
import { canSaveRole, EMPTY_ROLE, type RoleForm, roleForm } from './role-form.js'
import { mayGive } from './roles.js'

const texts = organizationTexts.roles

interface RoleEditorProps {
  own: Organization
  /** Undefined: a new one. */
  role?: RoleDefinition
}

/** A button, and the dialog that defines a role of the organization. */
export function RoleEditorButton({ own, role, ...look }: RoleEditorProps & Pick<ButtonProps, 'size' | 'variant'>) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button {...look} onClick={open}>
        {role ? texts.edit : texts.create}
      </Button>
      <Modal opened={opened} onClose={close} title={role ? texts.editTitle(role.name) : texts.create} size="lg">
        <RoleEditor own={own} role={role} onDone={close} />
      </Modal>
    </>
  )
}

export function RoleEditor({ own, role, onDone }: RoleEditorProps & { onDone: () => void }) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(changeField<RoleForm>, role ? roleForm(role) : EMPTY_ROLE)
  const saving = useMutation({
    mutationFn: () =>
      platformClient.accounts.organizations.setRole({
        params: { id: own.id, name: form.name.trim() },
        body: { permissions: [...form.permissions] },
      }),
    onSuccess: async () => {
      onDone()
      notifications.show({ message: texts.saved })
      await client.invalidateQueries({ queryKey: ORGANIZATIONS })
    },
  })
  const { fields, rest } = problemByField(saving.error, { BuiltInRole: 'name' })
  return (
    <SubmitForm action={texts.save} submission={saving} problem={rest} disabled={!canSaveRole(form)} button="right">
      {!role && (
        <TextInput
          {...textField(form, dispatch, 'name')}
          label={texts.name}
          description={texts.nameHint}
          required
          maxLength={40}
          data-autofocus
          error={fields['name']}
        />
      )}
      <PermissionFields own={own} form={form} onChange={(value) => dispatch({ type: 'changed', field: 'permissions', value })} />
    </SubmitForm>
  )
}

interface PermissionFieldsProps {
  own: Organization
  form: RoleForm
  onChange: (permissions: RoleForm['permissions']) => void
}

function PermissionFields({ own, form, onChange }: PermissionFieldsProps) {
  return (
    <Checkbox.Group
      label={texts.permissions}
      description={texts.permissionsHint}
      value={[...form.permissions]}
      onChange={(chosen) => onChange(permissionsAmong(chosen))}
    >
      <Stack mt="xs" gap="xs">
        {PERMISSION_GROUPS.map(({ title, permissions }) => (
          <Fieldset key={title} legend={title} p="xs">
            <Stack gap="xs">
              {permissions.map((permission) => (
                <Checkbox key={permission} value={permission} label={PERMISSIONS[permission]} disabled={!mayGive(own, permission)} />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
