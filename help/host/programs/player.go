// Play a game at random with protocol 1 (/help machine): go run player.go PORT GAME. Exits with 0 at its end.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"net"
	"os"
	"strings"
)

type moves struct{ Moves []string }

type said struct {
	Hello  *struct{ Protocol int }
	Done   *int
	Error  *struct{ Code, Text string }
	Table  *struct {
		Number int
		State  string
	}
	Moves  *moves
	Update *struct{ Moves *moves }
}

func main() {
	port, game := os.Args[1], os.Args[2]
	wire, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	ids, number := 0, 0
	ask := func(text string) {
		ids++
		request, _ := json.Marshal(map[string]any{"id": ids, "line": text})
		fmt.Fprintf(wire, "%s\n", request)
	}
	play := func(legal *moves) {
		if legal != nil && len(legal.Moves) > 0 {
			ask(fmt.Sprintf("/at %d %s", number, legal.Moves[rand.Intn(len(legal.Moves))]))
		}
	}
	fmt.Fprintln(wire, "MACHINE")
	ask("guest")
	ask("/set machine brief")
	ask("/quick " + game)
	rows := bufio.NewScanner(wire)
	rows.Buffer(nil, 1<<20)
	for rows.Scan() {
		if !strings.HasPrefix(rows.Text(), "{") {
			continue // a greeting comes before it
		}
		var one said
		if json.Unmarshal(rows.Bytes(), &one) != nil {
			continue // a line has its error elsewhere than done
		}
		if one.Hello != nil && one.Hello.Protocol != 1 {
			panic("this server speaks another protocol")
		}
		if one.Done != nil && one.Error != nil {
			fmt.Println(*one.Done, one.Error.Code, one.Error.Text)
		}
		if one.Table != nil {
			number = one.Table.Number
			if one.Table.State == "over" {
				fmt.Println("over")
				return
			}
		}
		play(one.Moves)
		if one.Update != nil {
			play(one.Update.Moves)
		}
	}
	os.Exit(1)
}
