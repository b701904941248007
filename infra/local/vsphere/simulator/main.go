// A vCenter in memory: govmomi's simulator with a template, users of our choice, and a network whose DHCP gives each
// machine that is switched on an address.
//
// Standard output has a line of JSON for the server, and then one for its machines whenever they have changed. The
// program ends with its standard input, so that it does not outlive what has started it.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"time"

	"github.com/vmware/govmomi"
	"github.com/vmware/govmomi/find"
	"github.com/vmware/govmomi/object"
	_ "github.com/vmware/govmomi/pbm/simulator"
	"github.com/vmware/govmomi/simulator"
	_ "github.com/vmware/govmomi/vapi/simulator"
	"github.com/vmware/govmomi/view"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

const interval = 200 * time.Millisecond

// What is said about the server: the provider checks its certificate by the thumbprint.
type server struct {
	Address    string `json:"address"`
	Thumbprint string `json:"thumbprint"`
}

type machine struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Of the BIOS, which provider ids have.
	UUID    string `json:"uuid"`
	Powered bool   `json:"powered"`
	Address string `json:"address,omitempty"`
	// As the provider has written it for cloud-init: base64.
	UserData string `json:"userData,omitempty"`
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// One cluster of three hosts, and one machine, which becomes the template.
func newModel(listen string, user *url.Userinfo) *simulator.Model {
	model := simulator.VPX()
	model.Host, model.ClusterHost, model.Machine, model.Autostart = 0, 3, 1, false
	check(model.Create())
	model.Service.Listen = &url.URL{Host: listen, User: user}
	model.Service.TLS = new(tls.Config)
	model.Service.RegisterEndpoints = true
	return model
}

func finish(ctx context.Context, task *object.Task, err error) {
	check(err)
	check(task.Wait(ctx))
}

// The snapshot lets the provider make linked clones, as it does by default.
func makeTemplate(ctx context.Context, client *govmomi.Client, name string) {
	finder := find.NewFinder(client.Client)
	finder.SetDatacenter(must(finder.DefaultDatacenter(ctx)))
	found := must(finder.VirtualMachineList(ctx, "*"))[0]
	task, err := found.Rename(ctx, name)
	finish(ctx, task, err)
	task, err = found.CreateSnapshot(ctx, "base", "", false, false)
	finish(ctx, task, err)
	check(found.MarkAsTemplate(ctx))
}

type vcenter struct {
	client   *govmomi.Client
	machines *view.ContainerView
	next     netip.Addr
}

func userDataOf(config *types.VirtualMachineConfigInfo) string {
	for _, option := range config.ExtraConfig {
		if value := option.GetOptionValue(); value.Key == "guestinfo.userdata" {
			text, _ := value.Value.(string)
			return text
		}
	}
	return ""
}

// The simulator treats options with this prefix as changes of the machine's own properties.
func (v *vcenter) lease(ctx context.Context, vm mo.VirtualMachine) string {
	address := v.next.String()
	option := &types.OptionValue{Key: "SET.guest.ipAddress", Value: address}
	spec := types.VirtualMachineConfigSpec{ExtraConfig: []types.BaseOptionValue{option}}
	task, err := object.NewVirtualMachine(v.client.Client, vm.Self).Reconfigure(ctx, spec)
	if err == nil {
		err = task.Wait(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, vm.Name, "gets no address:", err)
		return ""
	}
	v.next = v.next.Next()
	return address
}

func (v *vcenter) look(ctx context.Context) ([]machine, error) {
	var vms []mo.VirtualMachine
	properties := []string{"name", "config", "runtime.powerState", "guest.ipAddress"}
	if err := v.machines.Retrieve(ctx, []string{"VirtualMachine"}, properties, &vms); err != nil {
		return nil, err
	}
	found := []machine{}
	for _, vm := range vms {
		if vm.Config == nil || vm.Config.Template {
			continue
		}
		one := machine{ID: vm.Self.Value, Name: vm.Name, UUID: vm.Config.Uuid, UserData: userDataOf(vm.Config)}
		one.Powered = vm.Runtime.PowerState == types.VirtualMachinePowerStatePoweredOn
		if vm.Guest != nil {
			one.Address = vm.Guest.IpAddress
		}
		if one.Powered && one.Address == "" {
			one.Address = v.lease(ctx, vm)
		}
		found = append(found, one)
	}
	return found, nil
}

// Reports the machines for as long as the program runs. A machine that disappears during a look is missing in the next.
func (v *vcenter) follow(ctx context.Context, out *json.Encoder) {
	var before []machine
	for ; ; time.Sleep(interval) {
		found, err := v.look(ctx)
		if err != nil {
			fmt.Fprintln(os.Stderr, "the machines cannot be read:", err)
			continue
		}
		if !reflect.DeepEqual(before, found) {
			check(out.Encode(map[string]any{"machines": found}))
		}
		before = found
	}
}

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "address of the server")
	template := flag.String("template", "template", "name of the template")
	first := flag.String("first-address", "10.20.0.10", "first address that the network gives")
	flag.Parse()
	user := url.UserPassword(os.Getenv("VCENTER_USERNAME"), os.Getenv("VCENTER_PASSWORD"))
	if user.Username() == "" {
		check(fmt.Errorf("VCENTER_USERNAME and VCENTER_PASSWORD are needed"))
	}
	ctx := context.Background()
	model := newModel(*listen, user)
	defer model.Remove()
	running := model.Service.NewServer()
	client := must(govmomi.NewClient(ctx, running.URL, true))
	makeTemplate(ctx, client, *template)
	folder := client.ServiceContent.RootFolder
	machines := must(view.NewManager(client.Client).CreateContainerView(ctx, folder, []string{"VirtualMachine"}, true))
	out := json.NewEncoder(os.Stdout)
	check(out.Encode(server{Address: running.URL.Host, Thumbprint: running.CertificateInfo().ThumbprintSHA1}))
	go (&vcenter{client: client, machines: machines, next: netip.MustParseAddr(*first)}).follow(ctx, out)
	_, _ = io.Copy(io.Discard, os.Stdin)
}
